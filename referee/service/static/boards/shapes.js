// Places, lines and what they snap to. All in millimetres of the board; a line is a list of [x, y].

export const OPEN = new Set(["course", "white-line", "checkpoint", "finish"]);
export const KEYED = { jump: "landing", landing: "jump", acceleration: "slowdown", slowdown: "acceleration" };
export const PATTERNS = ["zigzag", "waves", "stripes", "dots", "stars", "rings", "blocks", "crosses"];
export const PAIRS = ["a", "b", "c", "d", "e", "f"];

export const far = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
export const rounded = ([x, y]) => [Math.round(x * 100) / 100, Math.round(y * 100) / 100];
export const isClosed = (element) => !OPEN.has(element.kind) || Boolean(element.closed);

// The nearest place on a line: where, how far away, and after which of its points.
export function nearestOn(line, at) {
  let best = { place: line[0], far: line.length ? far(line[0], at) : Infinity, after: 0 };
  for (let i = 0; i + 1 < line.length; i += 1) {
    const [a, b] = [line[i], line[i + 1]];
    const way = [b[0] - a[0], b[1] - a[1]];
    const size = way[0] ** 2 + way[1] ** 2;
    const share = size ? Math.min(Math.max(((at[0] - a[0]) * way[0] + (at[1] - a[1]) * way[1]) / size, 0), 1) : 0;
    const place = [a[0] + share * way[0], a[1] + share * way[1]];
    if (far(place, at) < best.far) best = { place, far: far(place, at), after: i };
  }
  return best;
}

export function ring(element) {
  return isClosed(element) && element.points.length ? [...element.points, element.points[0]] : element.points;
}

export function length(line) {
  let sum = 0;
  for (let i = 0; i + 1 < line.length; i += 1) sum += far(line[i], line[i + 1]);
  return sum;
}

export function middle(points) {
  const sum = points.reduce(([x, y], [a, b]) => [x + a, y + b], [0, 0]);
  return [sum[0] / points.length, sum[1] / points.length];
}

// Where a place snaps to: ends of lines first, then a suggestion's middle or a white band's edge.
export function snapped(at, kind, { elements, suggestions, reach, but }) {
  const others = elements.filter((one) => one !== but);
  const lines = [...others, ...suggestions].filter((one) => one.kind === "white-line");
  if (kind === "white-line") {
    const ends = others.filter((one) => one.kind === "white-line" && !one.closed && one.points.length)
      .flatMap((one) => [one.points[0], one.points.at(-1)]);
    return nearestOf(ends, at, reach) ?? along(suggestions.filter((one) => one.kind === "white-line"), at, reach) ?? at;
  }
  if (kind === "course" || kind === "drive") return at;
  const corners = others.filter((one) => one.kind !== "white-line" && one.kind !== "course").flatMap((one) => one.points);
  return nearestOf(corners, at, reach * 0.6) ?? toEdge(lines, at, reach) ?? at;
}

function nearestOf(places, at, reach) {
  const best = places.reduce((one, place) => (far(place, at) < far(one ?? [Infinity, 0], at) ? place : one), null);
  return best && far(best, at) <= reach ? [...best] : null;
}

function along(lines, at, reach) {
  const best = lines.map((one) => nearestOn(ring(one), at)).sort((a, b) => a.far - b.far)[0];
  return best && best.far <= reach ? best.place : null;
}

// The edge of a white band on the side where the place is.
function toEdge(lines, at, reach) {
  const best = lines.map((one) => ({ ...nearestOn(ring(one), at), half: (one.width_mm ?? 2) / 2 })).sort((a, b) => a.far - b.far)[0];
  if (!best || best.far > reach + best.half || best.far < 1e-6) return null;
  const share = best.half / best.far;
  return [best.place[0] + (at[0] - best.place[0]) * share, best.place[1] + (at[1] - best.place[1]) * share];
}

// An arrow from its tail to its tip.
export function arrow(tail, tip) {
  const long = Math.max(far(tail, tip), 2);
  const way = [(tip[0] - tail[0]) / long, (tip[1] - tail[1]) / long];
  const wide = Math.min(Math.max(long * 0.3, 1.5), 6);
  const at = (share, side) => [tail[0] + way[0] * long * share - way[1] * side, tail[1] + way[1] * long * share + way[0] * side];
  return [at(0, -wide / 2), at(0.55, -wide / 2), at(0.55, -wide), at(1, 0), at(0.55, wide), at(0.55, wide / 2), at(0, wide / 2)].map(rounded);
}

// The key that a new half of a pair gets: that of a half which waits for it, else one that is free.
export function freeKey(kind, elements) {
  const keys = (wanted) => new Set(elements.filter((one) => one.kind === wanted).map((one) => one.key));
  const own = keys(kind), other = keys(KEYED[kind]);
  const waiting = [...other].find((key) => key && !own.has(key));
  if (waiting) return waiting;
  const all = kind === "jump" || kind === "landing" ? PATTERNS : PAIRS;
  return all.find((key) => !own.has(key) && !other.has(key)) ?? `${own.size + 1}`;
}
