// Concepts as stars on a canvas: drawn, moved, brought nearer; knows nothing of pages.
import { drawBooks, writeNames } from "./books.js";
import { apart, covers } from "./room.js";
import { LEADING, Writing } from "./writing.js";

const CROWD_COLOURS = 8;
const FEW = 80; // of so many stars each finds room, with its whole title if there is any
const WRITINGS = [14, 13, 12, 11].flatMap((size) => [1.2, 1, 1.4].map((wide) => ({ size, wide, lines: 4 })));
const TIGHT = { size: 11, wide: 1.2, lines: 2 };
const MOST_FULL = 0.72; // of the room; more looks crowded
const CROWDED = 600;
const MOST_LABELS = { crowded: 24, few: 60 };
const EDGE = 18; // pixels that stay free at the rim of the canvas
const REACH = 16; // pixels around a star within which a finger means it

export class Sky {
  // At the bottom right a corner of so many pixels stays free for what lies over the canvas.
  constructor(canvas, corner = { width: 0, height: 0 }) {
    this.canvas = canvas;
    this.corner = corner;
    this.pen = canvas.getContext("2d");
    this.view = this.fitted = { x: 0, y: 0, zoom: 1 };
    this.spots = new Map(); // where few stars stand, when their titles need more room than the map gives them
    this.writing = new Writing(this.pen, () => getComputedStyle(canvas).getPropertyValue("--sans").trim() || "sans-serif");
    this.stars = [];
    this.lines = [];
    this.ranked = [];
    this.near = new Map();
    this.chosen = this.hovered = null;
  }

  // Stars are map nodes, lines are {source, target, type} of stars; what is not shown is not given.
  show(stars, lines) {
    this.stars = stars;
    this.lines = grouped(lines);
    this.near = new Map();
    for (const { source, target } of lines) {
      this.friends(source).add(target);
      this.friends(target).add(source);
    }
    this.ranked = [...stars].sort((one, other) => other.degree - one.degree);
    this.fit();
  }

  friends(star) {
    if (!this.near.has(star)) this.near.set(star, new Set());
    return this.near.get(star);
  }

  fit() {
    const { width, height } = this.size();
    const [left, right] = spread(this.stars.map((star) => star.x));
    const [top, bottom] = spread(this.stars.map((star) => star.y));
    const zoom = Math.min(width / (right - left), height / (bottom - top)) * 0.88;
    this.view = { zoom, x: width / 2 - ((left + right) / 2) * zoom, y: height / 2 - ((top + bottom) / 2) * zoom };
    this.spots = new Map();
    this.fitted = this.view;
    this.writing.set({ size: 12, lines: 2, width: 150 });
    if (this.few()) this.settle(left, right, top, bottom);
    this.redraw();
  }

  // A view that nobody moved fits again when there is more room, or less.
  resize() {
    if (this.view === this.fitted) this.fit();
    else this.redraw();
  }

  few() {
    return this.stars.length <= FEW;
  }

  // The side of the square that each star could have for itself.
  share() {
    const { width, height } = this.size();
    return Math.sqrt((width * height) / Math.max(this.stars.length, 1));
  }

  // Few stars take all the room there is, each with room for its title: the larger the writing the better.
  settle(left, right, top, bottom) {
    const { width, height } = this.size();
    const edge = { left: EDGE, right: width - EDGE, top: EDGE * 2, bottom: height - EDGE };
    const share = this.share();
    const [aside, above] = [this.corner.width / 2, this.corner.height / 2];
    const corner = { x: width - aside, y: height - above, half: aside, up: above, down: above };
    const room = (edge.right - edge.left) * (edge.bottom - edge.top);
    let boxes = [];
    for (const { size, wide, lines } of [...WRITINGS, TIGHT]) {
      this.writing.set({ size, lines, width: Math.min(Math.max(share * wide, size * 7), size * 13) });
      boxes = this.stars.map((star) => ({
        ...this.box(star),
        x: edge.left + ((star.x - left) / (right - left)) * (edge.right - edge.left),
        y: edge.top + ((star.y - top) / (bottom - top)) * (edge.bottom - edge.top),
      }));
      const full = boxes.reduce((sum, { half, up, down }) => sum + 2 * half * (up + down), 0) / room;
      if ((full <= MOST_FULL || lines === TIGHT.lines) && apart(boxes, edge, corner)) break;
    }
    this.view = this.fitted = { zoom: this.view.zoom, x: 0, y: 0 };
    this.stars.forEach((star, number) => {
      this.spots.set(star, { x: boxes[number].x / this.view.zoom, y: boxes[number].y / this.view.zoom });
    });
  }

  box(star) {
    return this.writing.box(star, this.radius(star));
  }

  lookAt(star) {
    const { width, height } = this.size();
    const { x, y } = this.place(star);
    if (x < 40 || y < 40 || x > width - 40 || y > height - 40) this.move(width / 2 - x, height / 2 - y);
    this.redraw();
  }

  move(right, down) {
    this.view = { ...this.view, x: this.view.x + right, y: this.view.y + down };
    this.redraw();
  }

  zoomBy(factor, x = this.size().width / 2, y = this.size().height / 2) {
    const zoom = Math.min(Math.max(this.view.zoom * factor, 80), 60_000);
    const grown = zoom / this.view.zoom;
    this.view = { zoom, x: x - (x - this.view.x) * grown, y: y - (y - this.view.y) * grown };
    this.redraw();
  }

  at(x, y) {
    let nearest = null;
    let least = REACH;
    for (const star of this.stars) {
      const place = this.place(star);
      const far = Math.hypot(place.x - x, place.y - y);
      if (far < least) [nearest, least] = [star, far];
    }
    return nearest;
  }

  size() {
    return { width: this.canvas.clientWidth || 1, height: this.canvas.clientHeight || 1 };
  }

  place(star) {
    const { x, y } = this.spots.get(star) ?? star;
    return { x: x * this.view.zoom + this.view.x, y: y * this.view.zoom + this.view.y };
  }

  redraw() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = null;
      this.draw();
    });
  }

  draw() {
    const { width, height } = this.size();
    const sharp = window.devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * sharp) || this.canvas.height !== Math.round(height * sharp)) {
      this.canvas.width = Math.round(width * sharp);
      this.canvas.height = Math.round(height * sharp);
    }
    this.style = getComputedStyle(this.canvas);
    this.pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    this.pen.clearRect(0, 0, width, height);
    const centre = this.hovered ?? this.chosen;
    const lit = centre ? new Set([centre, ...(this.near.get(centre) ?? [])]) : null;
    const names = this.few() ? drawBooks(this, width) : [];
    this.drawLines(centre);
    this.drawStars(lit);
    writeNames(this, names);
    this.drawLabels(lit, names, { width, height });
  }

  colour = (name) => this.style.getPropertyValue(name).trim();

  drawLines(centre) {
    const { pen } = this;
    const dense = this.stars.length > CROWDED ? 0.22 : 0.55;
    for (const [type, lines] of this.lines) {
      pen.strokeStyle = this.colour(`--relation-${type.toLowerCase()}`);
      for (const ofCentre of centre ? [false, true] : [false]) {
        pen.globalAlpha = ofCentre ? 1 : centre ? dense / 2.5 : dense;
        pen.lineWidth = ofCentre ? 2 : 1;
        pen.beginPath();
        for (const { source, target } of lines) {
          if ((source === centre || target === centre) !== ofCentre) continue;
          const [from, to] = [this.place(source), this.place(target)];
          pen.moveTo(from.x, from.y);
          pen.lineTo(to.x, to.y);
        }
        pen.stroke();
      }
    }
    pen.globalAlpha = 1;
  }

  radius(star) {
    if (this.few()) return Math.min(6 + Math.sqrt(star.degree) * 2.5, 14) * Math.min(Math.max(this.share() / 95, 0.7), 1.6);
    const crowded = this.stars.length > CROWDED;
    const nearness = Math.min(Math.max(Math.sqrt(this.view.zoom / 900), 0.8), 2);
    return Math.min(4 + Math.sqrt(star.degree) * 1.4, 12) * nearness * (crowded ? 0.4 : 1);
  }

  drawStars(lit) {
    const { pen } = this;
    for (let crowd = 0; crowd < CROWD_COLOURS; crowd++) {
      pen.fillStyle = this.colour(`--crowd-${crowd}`);
      for (const bright of lit ? [false, true] : [true]) {
        pen.globalAlpha = bright ? 1 : 0.25;
        pen.beginPath();
        for (const star of this.stars) {
          if (star.community % CROWD_COLOURS !== crowd || (lit && lit.has(star) !== bright)) continue;
          const { x, y } = this.place(star);
          const radius = this.radius(star);
          pen.moveTo(x + radius, y);
          pen.arc(x, y, radius, 0, 2 * Math.PI);
        }
        pen.fill();
      }
    }
    pen.globalAlpha = 1;
    if (this.chosen) this.ring(this.chosen);
  }

  ring(star) {
    const { x, y } = this.place(star);
    this.pen.strokeStyle = this.colour("--ink");
    this.pen.lineWidth = 2;
    this.pen.beginPath();
    this.pen.arc(x, y, this.radius(star) + 3, 0, 2 * Math.PI);
    this.pen.stroke();
  }

  // Titles of the stars that matter most, as far as none covers another.
  drawLabels(lit, names, { width, height }) {
    const { pen } = this;
    pen.textAlign = "center";
    pen.lineJoin = "round";
    const first = [this.hovered, this.chosen, ...(lit ?? [])].filter(Boolean);
    const most = this.stars.length > CROWDED ? MOST_LABELS.crowded : MOST_LABELS.few;
    const taken = [...names, ...(this.few() ? this.stars.map((star) => this.disc(star)) : [])];
    const written = taken.length + most;
    pen.font = this.writing.font();
    for (const star of new Set([...first, ...(this.hovered && !this.few() ? [] : this.ranked)])) {
      const { x, y } = this.place(star);
      if (x < 0 || y < 0 || x > width || y > height) continue;
      const { title, half, down } = this.box(star);
      const label = { x: Math.min(Math.max(x, half), width - half), y, half, up: -this.radius(star), down };
      if (taken.some((other) => other.of !== star && covers(label, other)) && star !== this.hovered) continue;
      taken.push(label);
      pen.globalAlpha = !lit || lit.has(star) ? 1 : 0.45;
      title.forEach((line, number) => this.write(line, label.x, y + this.radius(star) + 3 + (number + 0.85) * this.writing.size * LEADING));
      if (taken.length >= written) break;
    }
    pen.globalAlpha = 1;
  }

  disc(star) {
    const radius = this.radius(star);
    return { ...this.place(star), of: star, half: radius, up: radius, down: radius };
  }

  write(title, x, y, colour = "--ink") {
    this.pen.strokeStyle = this.colour("--sheet");
    this.pen.lineWidth = 4;
    this.pen.strokeText(title, x, y);
    this.pen.fillStyle = this.colour(colour);
    this.pen.fillText(title, x, y);
  }
}

function grouped(lines) {
  const groups = new Map();
  for (const line of lines) {
    if (!groups.has(line.type)) groups.set(line.type, []);
    groups.get(line.type).push(line);
  }
  return [...groups];
}

function spread(numbers) {
  let [least, most] = [Infinity, -Infinity];
  for (const number of numbers) [least, most] = [Math.min(least, number), Math.max(most, number)];
  return most > least ? [least, most] : [Math.min(least, 0.5) - 0.5, Math.max(most, 0.5) + 0.5];
}
