// How broad a board is for its height, from its four corners in a picture: a rectangle's perspective tells (Zhang, He:
// Whiteboard scanning and image enhancement, 2007). The worker's `proportion` says the same.

const USUAL_FOCAL = 0.75;

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export function proportion(corners, [width, height]) {
  const longer = Math.max(width, height);
  const [a, b, c, d] = corners.map(([x, y]) => [(x - (width - 1) / 2) / longer, (y - (height - 1) / 2) / longer, 1]);
  const depth = (one, across, other, corner) => dot(cross(one, across), other) / dot(cross(corner, across), other);
  const away = (to, by) => to.map((at, i) => by * at - a[i]);
  const right = away(b, depth(a, c, d, b));
  const down = away(d, depth(a, c, b, d));
  const both = right[2] * down[2];
  let focal = USUAL_FOCAL;
  if (Math.abs(both) >= 1e-3) {
    const square = -(right[0] * down[0] + right[1] * down[1]) / both;
    if (square > 0) focal = Math.min(Math.max(Math.sqrt(square), 0.45), 3);
  }
  const size = (way) => Math.hypot(way[0] / focal, way[1] / focal, way[2]);
  return size(right) / size(down);
}
