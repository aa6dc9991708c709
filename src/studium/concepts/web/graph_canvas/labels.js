// Measures and wraps node titles at the current font size.
import { wrapped } from "./geometry.js";

export const LEADING = 1.22;

export class LabelPainter {
  constructor(pen, fonts) {
    this.pen = pen;
    this.fonts = fonts;
    this.widths = new Map();
    this.set({ size: 12, lines: 2, width: 150 });
  }

  set({ size, lines, width }) {
    this.size = size;
    this.lines = lines;
    this.width = width;
    this.titles = new Map();
  }

  font(size = this.size) {
    return `500 ${size}px ${this.fonts()}`;
  }

  // How much room a node of this radius needs with the title below it.
  box(node, radius) {
    if (!this.titles.has(node)) this.titles.set(node, this.measured(node.title));
    const { title, half } = this.titles.get(node);
    const down = radius + 5 + title.length * this.size * LEADING;
    return { title, half: Math.max(half, radius + 4), up: radius + 4, down };
  }

  measured(words) {
    const measure = (text) => this.widthOf(text) * this.size;
    const title = wrapped(words, measure, this.width, this.lines);
    return { title, half: Math.max(...title.map(measure)) / 2 + 5 };
  }

  // How wide a text is for each pixel of its height; a word is measured once, since measuring is slow.
  widthOf(text) {
    const words = text.split(" ");
    return words.reduce((sum, word) => sum + this.wordWidth(word), (words.length - 1) * this.wordWidth(" "));
  }

  wordWidth(word) {
    if (!this.widths.has(word)) {
      this.pen.font = this.font(100);
      this.widths.set(word, this.pen.measureText(word).width / 100);
    }
    return this.widths.get(word);
  }
}
