// Wraps titles into lines, moves boxes apart, and finds the convex hull of points.
const TURNS = 400;
const LOOSE = 1.35; // how far apart the middles stand, in boxes

// Wraps a title into lines of similar length, and truncates it after `most` lines.
export function wrapped(title, measure, width, most) {
  const words = title.split(/\s+/).flatMap((word) => pieces(word, measure, width));
  let lines = filled(words, measure, width);
  const count = Math.min(lines.length, most);
  for (let narrow = width * 0.5; narrow < width; narrow += width * 0.1) {
    const tried = filled(words, measure, narrow);
    if (tried.length <= count && tried.every((line) => measure(line) <= width)) {
      lines = tried;
      break;
    }
  }
  if (lines.length <= most) return lines;
  let last = lines[most - 1];
  while (last && measure(`${last}…`) > width) last = last.slice(0, -1);
  return [...lines.slice(0, most - 1), `${last.trimEnd()}…`];
}

function pieces(word, measure, width) {
  if (measure(word) <= width) return [word];
  const found = [""];
  for (const letter of word) {
    if (found.at(-1) && measure(found.at(-1) + letter) > width) found.push("");
    found[found.length - 1] += letter;
  }
  return found;
}

function filled(words, measure, width) {
  const lines = [];
  for (const word of words) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && measure(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

// Moves boxes {x, y, half, up, down} until none overlaps another or the corner; returns whether it succeeded.
export function apart(boxes, edge, corner) {
  // Loosely first, in all directions, so that all of the room is used; then exactly.
  for (let turn = 0; turn < TURNS / 4; turn++) everyPair(boxes, edge, corner, loosened);
  for (let turn = 0; turn < TURNS; turn++) if (!everyPair(boxes, edge, corner, pushed)) return true;
  return false;
}

function everyPair(boxes, { left, top, right, bottom }, corner, move) {
  let moved = false;
  for (let here = 0; here < boxes.length; here++) {
    for (let there = here + 1; there < boxes.length; there++) moved = move(boxes[here], boxes[there]) || moved;
  }
  for (const box of boxes) {
    moved = move(box, { ...corner }) || moved; // which itself stays
    box.x = Math.min(Math.max(box.x, left + box.half), right - box.half);
    box.y = Math.min(Math.max(box.y, top + box.up), bottom - box.down);
  }
  return moved;
}

function loosened(one, other) {
  const [wide, high] = [one.half + other.half, (one.up + one.down + other.up + other.down) / 2];
  const [right, down] = [(other.x - one.x) / wide, (other.y - one.y) / high];
  const far = Math.hypot(right, down);
  if (far >= LOOSE) return false;
  const push = (LOOSE - far) / Math.max(far, 0.01) / 6;
  one.x -= right * push * wide;
  other.x += right * push * wide;
  one.y -= down * push * high;
  other.y += down * push * high;
  return true;
}

export function covers(one, other) {
  return Math.min(...overlap(one, other)) > 0.5;
}

function overlap(one, other) {
  const across = one.half + other.half - Math.abs(one.x - other.x);
  const along = Math.min(one.y + one.down, other.y + other.down) - Math.max(one.y - one.up, other.y - other.up);
  return [across, along];
}

function pushed(one, other) {
  if (!covers(one, other)) return false;
  const [across, along] = overlap(one, other);
  if (across < along) {
    const way = (one.x <= other.x ? -1 : 1) * across * 0.3;
    one.x += way;
    other.x -= way;
  } else {
    const way = (one.y <= other.y ? -1 : 1) * along * 0.3;
    one.y += way;
    other.y -= way;
  }
  return true;
}

// The corners of the convex hull of these points, in order.
export function hull(points) {
  const sorted = [...points].sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  const half = (some) => {
    const kept = [];
    for (const point of some) {
      while (kept.length > 1 && bend(kept.at(-2), kept.at(-1), point) <= 0) kept.pop();
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

function bend([ax, ay], [bx, by], [cx, cy]) {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}
