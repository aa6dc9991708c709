// Draws each book of a small map as a named region; a concept of two books is in both.
import { hull, wrapped } from "./geometry.js";

const MOST_BOOKS = 6;
const LEAST_OF_BOOK = 3; // two nodes make no region
const ROUND = 16;

// Draws the regions and returns where their names go: {name, x, y, half, up, down}.
export function drawBooks(canvas, width) {
  const books = [...new Set(canvas.nodes.flatMap((node) => node.books))];
  if (books.length > MOST_BOOKS) return [];
  const regions = books
    .map((book) => ({ book, nodes: canvas.nodes.filter((node) => node.books.includes(book)) }))
    .filter(({ nodes }) => nodes.length >= LEAST_OF_BOOK)
    .map(({ book, nodes }) => ({ book, corners: hull(nodes.flatMap((node) => around(canvas, node))) }));
  for (const { corners } of regions) drawRegion(canvas, corners);
  return regions.map(({ book, corners }) => named(canvas, book, corners, width));
}

export function writeNames(canvas, names) {
  canvas.pen.font = font(canvas);
  for (const { name, x, y } of names) canvas.write(name, x, y, "--accent");
}

function font(canvas) {
  return `italic 600 14px ${canvas.colour("--serif") || "serif"}`;
}

function around(canvas, node) {
  const { half, up, down } = canvas.box(node);
  const { x, y } = canvas.place(node);
  return [-1, 1].flatMap((side) => [[x + side * (half + 6), y - up - 6], [x + side * (half + 6), y + down + 6]]);
}

function drawRegion({ pen, colour }, corners) {
  const [first, last] = [corners[0], corners.at(-1)];
  pen.beginPath();
  pen.moveTo((first[0] + last[0]) / 2, (first[1] + last[1]) / 2);
  corners.forEach(([x, y], number) => pen.arcTo(x, y, ...corners[(number + 1) % corners.length], ROUND));
  pen.closePath();
  pen.fillStyle = pen.strokeStyle = colour("--accent");
  pen.globalAlpha = 0.05;
  pen.fill();
  pen.globalAlpha = 0.3;
  pen.lineWidth = 1;
  pen.stroke();
  pen.globalAlpha = 1;
}

// Above the highest side of the region, and no wider than it.
function named(canvas, book, corners, width) {
  const measure = (text) => canvas.pen.measureText(text).width;
  const across = corners.map(([x]) => x);
  const [left, right] = [Math.min(...across), Math.max(...across)];
  const top = Math.min(...corners.map(([, y]) => y));
  const side = corners.filter(([, y]) => y < top + 2).map(([x]) => x);
  canvas.pen.font = font(canvas);
  const [name] = wrapped(book, measure, Math.min(width, right - left) - ROUND, 1);
  const half = measure(name) / 2 + 6;
  const middle = (Math.min(...side) + Math.max(...side)) / 2;
  const x = Math.min(Math.max(middle, left + half, half), right - half, width - half);
  return { name, x, y: Math.max(top - 7, 14), half, up: 12, down: 4 };
}
