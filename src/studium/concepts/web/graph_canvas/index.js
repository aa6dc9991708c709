// Draws, pans and zooms the concept graph on a canvas; knows nothing of the page around it.
import { drawBooks, writeNames } from "./books.js";
import { apart, covers } from "./geometry.js";
import { LEADING, LabelPainter } from "./labels.js";

const COMMUNITY_COLOURS = 8;
const FEW = 80; // up to this many nodes are spread out so that every title fits
const LABEL_STYLES = [14, 13, 12, 11].flatMap((size) => [1.2, 1, 1.4].map((wide) => ({ size, wide, lines: 4 })));
const TIGHT = { size: 11, wide: 1.2, lines: 2 };
const MOST_FULL = 0.72; // of the room; more looks crowded
const CROWDED = 600;
const MOST_LABELS = { crowded: 24, few: 60 };
const EDGE = 18; // free pixels along the edge of the canvas
const REACH = 16; // a click within this many pixels selects the node

export class GraphCanvas {
  // Keeps a corner of this size free at the bottom right, for the buttons over the canvas.
  constructor(canvas, corner = { width: 0, height: 0 }) {
    this.canvas = canvas;
    this.corner = corner;
    this.pen = canvas.getContext("2d");
    this.view = this.fitted = { x: 0, y: 0, zoom: 1 };
    this.spots = new Map(); // where few nodes stand, when their titles need more room than the map gives them
    this.labels = new LabelPainter(this.pen, () => getComputedStyle(canvas).getPropertyValue("--sans").trim() || "sans-serif");
    this.nodes = [];
    this.edges = [];
    this.ranked = [];
    this.near = new Map();
    this.chosen = this.hovered = null;
  }

  // Shows these nodes, and these edges ({source, target, type}) between them.
  show(nodes, edges) {
    this.nodes = nodes;
    this.edges = groupByType(edges);
    this.near = new Map();
    for (const { source, target } of edges) {
      this.neighbours(source).add(target);
      this.neighbours(target).add(source);
    }
    this.ranked = [...nodes].sort((one, other) => other.degree - one.degree);
    this.fit();
  }

  neighbours(node) {
    if (!this.near.has(node)) this.near.set(node, new Set());
    return this.near.get(node);
  }

  fit() {
    const { width, height } = this.size();
    const [left, right] = spread(this.nodes.map((node) => node.x));
    const [top, bottom] = spread(this.nodes.map((node) => node.y));
    const zoom = Math.min(width / (right - left), height / (bottom - top)) * 0.88;
    this.view = { zoom, x: width / 2 - ((left + right) / 2) * zoom, y: height / 2 - ((top + bottom) / 2) * zoom };
    this.spots = new Map();
    this.fitted = this.view;
    this.labels.set({ size: 12, lines: 2, width: 150 });
    if (this.few()) this.spreadOut(left, right, top, bottom);
    this.redraw();
  }

  // Fits the graph again after a resize, unless the user has moved the view.
  resize() {
    if (this.view === this.fitted) this.fit();
    else this.redraw();
  }

  few() {
    return this.nodes.length <= FEW;
  }

  // The side of the square that each node could have for itself.
  share() {
    const { width, height } = this.size();
    return Math.sqrt((width * height) / Math.max(this.nodes.length, 1));
  }

  // Spreads a few nodes over the whole canvas, with the largest labels that fit.
  spreadOut(left, right, top, bottom) {
    const { width, height } = this.size();
    const edge = { left: EDGE, right: width - EDGE, top: EDGE * 2, bottom: height - EDGE };
    const share = this.share();
    const [aside, above] = [this.corner.width / 2, this.corner.height / 2];
    const corner = { x: width - aside, y: height - above, half: aside, up: above, down: above };
    const room = (edge.right - edge.left) * (edge.bottom - edge.top);
    let boxes = [];
    for (const { size, wide, lines } of [...LABEL_STYLES, TIGHT]) {
      this.labels.set({ size, lines, width: Math.min(Math.max(share * wide, size * 7), size * 13) });
      boxes = this.nodes.map((node) => ({
        ...this.box(node),
        x: edge.left + ((node.x - left) / (right - left)) * (edge.right - edge.left),
        y: edge.top + ((node.y - top) / (bottom - top)) * (edge.bottom - edge.top),
      }));
      const full = boxes.reduce((sum, { half, up, down }) => sum + 2 * half * (up + down), 0) / room;
      if ((full <= MOST_FULL || lines === TIGHT.lines) && apart(boxes, edge, corner)) break;
    }
    this.view = this.fitted = { zoom: this.view.zoom, x: 0, y: 0 };
    this.nodes.forEach((node, number) => {
      this.spots.set(node, { x: boxes[number].x / this.view.zoom, y: boxes[number].y / this.view.zoom });
    });
  }

  box(node) {
    return this.labels.box(node, this.radius(node));
  }

  lookAt(node) {
    const { width, height } = this.size();
    const { x, y } = this.place(node);
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
    for (const node of this.nodes) {
      const place = this.place(node);
      const far = Math.hypot(place.x - x, place.y - y);
      if (far < least) [nearest, least] = [node, far];
    }
    return nearest;
  }

  size() {
    return { width: this.canvas.clientWidth || 1, height: this.canvas.clientHeight || 1 };
  }

  place(node) {
    const { x, y } = this.spots.get(node) ?? node;
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
    this.drawEdges(centre);
    this.drawNodes(lit);
    writeNames(this, names);
    this.drawLabels(lit, names, { width, height });
  }

  colour = (name) => this.style.getPropertyValue(name).trim();

  drawEdges(centre) {
    const { pen } = this;
    const dense = this.nodes.length > CROWDED ? 0.22 : 0.55;
    for (const [type, edges] of this.edges) {
      pen.strokeStyle = this.colour(`--relation-${type.toLowerCase()}`);
      for (const ofCentre of centre ? [false, true] : [false]) {
        pen.globalAlpha = ofCentre ? 1 : centre ? dense / 2.5 : dense;
        pen.lineWidth = ofCentre ? 2 : 1;
        pen.beginPath();
        for (const { source, target } of edges) {
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

  radius(node) {
    if (this.few()) return Math.min(6 + Math.sqrt(node.degree) * 2.5, 14) * Math.min(Math.max(this.share() / 95, 0.7), 1.6);
    const crowded = this.nodes.length > CROWDED;
    const nearness = Math.min(Math.max(Math.sqrt(this.view.zoom / 900), 0.8), 2);
    return Math.min(4 + Math.sqrt(node.degree) * 1.4, 12) * nearness * (crowded ? 0.4 : 1);
  }

  drawNodes(lit) {
    const { pen } = this;
    for (let community = 0; community < COMMUNITY_COLOURS; community++) {
      pen.fillStyle = this.colour(`--community-${community}`);
      for (const bright of lit ? [false, true] : [true]) {
        pen.globalAlpha = bright ? 1 : 0.25;
        pen.beginPath();
        for (const node of this.nodes) {
          if (node.community % COMMUNITY_COLOURS !== community || (lit && lit.has(node) !== bright)) continue;
          const { x, y } = this.place(node);
          const radius = this.radius(node);
          pen.moveTo(x + radius, y);
          pen.arc(x, y, radius, 0, 2 * Math.PI);
        }
        pen.fill();
      }
    }
    pen.globalAlpha = 1;
    if (this.chosen) this.ring(this.chosen);
  }

  ring(node) {
    const { x, y } = this.place(node);
    this.pen.strokeStyle = this.colour("--ink");
    this.pen.lineWidth = 2;
    this.pen.beginPath();
    this.pen.arc(x, y, this.radius(node) + 3, 0, 2 * Math.PI);
    this.pen.stroke();
  }

  // Titles of the nodes that matter most, as far as none covers another.
  drawLabels(lit, names, { width, height }) {
    const { pen } = this;
    pen.textAlign = "center";
    pen.lineJoin = "round";
    const first = [this.hovered, this.chosen, ...(lit ?? [])].filter(Boolean);
    const most = this.nodes.length > CROWDED ? MOST_LABELS.crowded : MOST_LABELS.few;
    const taken = [...names, ...(this.few() ? this.nodes.map((node) => this.disc(node)) : [])];
    const written = taken.length + most;
    pen.font = this.labels.font();
    for (const node of new Set([...first, ...(this.hovered && !this.few() ? [] : this.ranked)])) {
      const { x, y } = this.place(node);
      if (x < 0 || y < 0 || x > width || y > height) continue;
      const { title, half, down } = this.box(node);
      const label = { x: Math.min(Math.max(x, half), width - half), y, half, up: -this.radius(node), down };
      if (taken.some((other) => other.of !== node && covers(label, other)) && node !== this.hovered) continue;
      taken.push(label);
      pen.globalAlpha = !lit || lit.has(node) ? 1 : 0.45;
      title.forEach((line, number) => this.write(line, label.x, y + this.radius(node) + 3 + (number + 0.85) * this.labels.size * LEADING));
      if (taken.length >= written) break;
    }
    pen.globalAlpha = 1;
  }

  disc(node) {
    const radius = this.radius(node);
    return { ...this.place(node), of: node, half: radius, up: radius, down: radius };
  }

  write(title, x, y, colour = "--ink") {
    this.pen.strokeStyle = this.colour("--sheet");
    this.pen.lineWidth = 4;
    this.pen.strokeText(title, x, y);
    this.pen.fillStyle = this.colour(colour);
    this.pen.fillText(title, x, y);
  }
}

function groupByType(edges) {
  const groups = new Map();
  for (const edge of edges) {
    if (!groups.has(edge.type)) groups.set(edge.type, []);
    groups.get(edge.type).push(edge);
  }
  return [...groups];
}

function spread(numbers) {
  let [least, most] = [Infinity, -Infinity];
  for (const number of numbers) [least, most] = [Math.min(least, number), Math.max(most, number)];
  return most > least ? [least, most] : [Math.min(least, 0.5) - 0.5, Math.max(most, 0.5) + 0.5];
}
