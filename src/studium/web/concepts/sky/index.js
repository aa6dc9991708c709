// Concepts as stars on a canvas: drawn, moved, brought nearer; knows nothing of pages.
const CROWD_COLOURS = 8;
const CROWDED = 600;
const MOST_LABELS = { crowded: 24, few: 60 };
const REACH = 16; // pixels around a star within which a finger means it

export class Sky {
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
    this.view = { x: 0, y: 0, zoom: 1 };
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
    this.redraw();
  }

  lookAt(star) {
    const { width, height } = this.size();
    const { x, y } = this.place(star);
    if (x < 40 || y < 40 || x > width - 40 || y > height - 40) this.move(width / 2 - x, height / 2 - y);
    this.redraw();
  }

  move(right, down) {
    this.view.x += right;
    this.view.y += down;
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
    return { x: star.x * this.view.zoom + this.view.x, y: star.y * this.view.zoom + this.view.y };
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
    this.drawLines(centre);
    this.drawStars(lit);
    this.drawLabels(lit, width, height);
  }

  colour(name) {
    return this.style.getPropertyValue(name).trim();
  }

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
  drawLabels(lit, width, height) {
    const { pen } = this;
    pen.font = `500 12px ${this.colour("--sans") || "sans-serif"}`;
    pen.textAlign = "center";
    pen.lineJoin = "round";
    const first = [this.hovered, this.chosen, ...(lit ?? [])].filter(Boolean);
    const most = this.stars.length > CROWDED ? MOST_LABELS.crowded : MOST_LABELS.few;
    const taken = [];
    let written = 0;
    for (const star of new Set([...first, ...(this.hovered ? [] : this.ranked)])) {
      const { x, y } = this.place(star);
      if (x < 0 || y < 0 || x > width || y > height) continue;
      const title = star.title.length > 34 ? `${star.title.slice(0, 33)}…` : star.title;
      const half = pen.measureText(title).width / 2 + 6;
      const middle = Math.min(Math.max(x, half), width - half);
      const low = y + this.radius(star) + 15;
      const free = !taken.some(([otherX, otherY, otherHalf]) => Math.abs(middle - otherX) < half + otherHalf && Math.abs(low - otherY) < 17);
      if (!free && star !== this.hovered) continue;
      taken.push([middle, low, half]);
      pen.globalAlpha = !lit || lit.has(star) ? 1 : 0.45;
      this.write(title, middle, low);
      if (++written >= most) break;
    }
    pen.globalAlpha = 1;
  }

  write(title, x, y) {
    this.pen.strokeStyle = this.colour("--sheet");
    this.pen.lineWidth = 4;
    this.pen.strokeText(title, x, y);
    this.pen.fillStyle = this.colour("--ink");
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
