// The books of a small map as regions with their names; a concept of two books lies in both.
import { hull, wrapped } from "./room.js";

const MOST_BOOKS = 6;
const LEAST_OF_BOOK = 3; // two stars make no region
const ROUND = 16;

// Draws the regions, and says which names are to stand where: {name, x, y, half, up, down}.
export function drawBooks(sky, width) {
  const books = [...new Set(sky.stars.flatMap((star) => star.books))];
  if (books.length > MOST_BOOKS) return [];
  const regions = books
    .map((book) => ({ book, stars: sky.stars.filter((star) => star.books.includes(book)) }))
    .filter(({ stars }) => stars.length >= LEAST_OF_BOOK)
    .map(({ book, stars }) => ({ book, corners: hull(stars.flatMap((star) => around(sky, star))) }));
  for (const { corners } of regions) drawRegion(sky, corners);
  return regions.map(({ book, corners }) => named(sky, book, corners, width));
}

export function writeNames(sky, names) {
  sky.pen.font = font(sky);
  for (const { name, x, y } of names) sky.write(name, x, y, "--accent");
}

function font(sky) {
  return `italic 600 14px ${sky.colour("--serif") || "serif"}`;
}

function around(sky, star) {
  const { half, up, down } = sky.box(star);
  const { x, y } = sky.place(star);
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
function named(sky, book, corners, width) {
  const measure = (text) => sky.pen.measureText(text).width;
  const across = corners.map(([x]) => x);
  const [left, right] = [Math.min(...across), Math.max(...across)];
  const top = Math.min(...corners.map(([, y]) => y));
  const side = corners.filter(([, y]) => y < top + 2).map(([x]) => x);
  sky.pen.font = font(sky);
  const [name] = wrapped(book, measure, Math.min(width, right - left) - ROUND, 1);
  const half = measure(name) / 2 + 6;
  const middle = (Math.min(...side) + Math.max(...side)) / 2;
  const x = Math.min(Math.max(middle, left + half, half), right - half, width - half);
  return { name, x, y: Math.max(top - 7, 14), half, up: 12, down: 4 };
}
