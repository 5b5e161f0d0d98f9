// The replay: a car drives the path in the order it was drawn, jumps from stroke to stroke, and slows down where it
// was close.
import { button } from "./viewer.js";

const SVG = "http://www.w3.org/2000/svg";
const SPEED_MM_S = 90;
const CLOSE_MM = 3;
const BEFORE_MM = 14;
const SLOW = 0.22;
const JUMP_S = 0.45;

export function makeReplay(viewer, report, words) {
  const strokes = (report.path ?? []).map((stroke) => stroke.points_mm).filter((points) => points.length > 1);
  if (!strokes.length) return;
  const road = lay(strokes);
  const close = closePlaces(road, report.near_misses ?? []);
  const car = drawCar(viewer.svg);
  const trail = draw(viewer.svg, "polyline", { class: "trail", fill: "none" });
  viewer.svg.append(car);

  const bar = document.createElement("div");
  bar.className = "replay no-print";
  const play = button(words.play, "▶", () => (running ? stop() : start()));
  const slider = input("range", words.place, { min: 0, max: road.length.toFixed(1), step: "any", value: 0 });
  const speed = input("range", words.speed, { min: 0.25, max: 4, step: 0.25, value: 1 });
  const slow = input("checkbox", words.slow, {});
  slow.box.checked = true;
  const told = document.createElement("p");
  told.className = "replay-told";
  told.setAttribute("aria-live", "polite");
  bar.append(play, slider.label, speed.label, slow.label, told);
  viewer.frame.append(bar);

  let at = 0;
  let running = false;
  let last = 0;

  function start() {
    if (at >= road.length) at = 0;
    running = true;
    last = performance.now();
    viewer.frame.classList.add("driving");
    name(play, words.pause, "❚❚");
    requestAnimationFrame(step);
  }

  function stop() {
    running = false;
    name(play, words.play, "▶");
  }

  function step(now) {
    if (!running) return;
    const near = slow.box.checked && close.find((place) => at > place.at - BEFORE_MM && at < place.at + BEFORE_MM / 2);
    at = Math.min(at + ((now - last) / 1000) * SPEED_MM_S * speed.box.value * (near ? SLOW : 1), road.length);
    last = now;
    show();
    if (at >= road.length) stop();
    else requestAnimationFrame(step);
  }

  function show() {
    const spot = whereAt(road, at);
    car.setAttribute("transform", `translate(${spot.x.toFixed(2)} ${spot.y.toFixed(2)}) rotate(${spot.turn.toFixed(1)})`);
    car.classList.toggle("in-the-air", spot.air);
    trail.setAttribute("points", driven(road, at));
    slider.box.value = at;
    const near = close.find((place) => at > place.at - BEFORE_MM && at < place.at + BEFORE_MM / 2);
    const words_ = near ? `${words.nearWords} ${near.words}` : "";
    if (told.textContent !== words_) told.textContent = words_;
  }

  slider.box.addEventListener("input", () => {
    at = Number(slider.box.value);
    viewer.frame.classList.add("driving");
    show();
  });
  show();
}

// The strokes laid end to end: a list of points with the distance driven; jumps through the air take a fixed time.
function lay(strokes) {
  const points = [];
  let length = 0;
  for (const stroke of strokes) {
    stroke.forEach(([x, y], number) => {
      const before = points.at(-1);
      const air = number === 0 && before !== undefined;
      if (air) length += JUMP_S * SPEED_MM_S;
      else if (before) length += Math.hypot(x - before.x, y - before.y);
      points.push({ x, y, at: length, air });
    });
  }
  return { points, length };
}

function whereAt(road, at) {
  const { points } = road;
  let low = 0;
  let high = points.length - 1;
  while (low + 1 < high) {
    const mid = (low + high) >> 1;
    if (points[mid].at <= at) low = mid;
    else high = mid;
  }
  const from = points[low], to = points[high];
  const part = to.at > from.at ? Math.min(Math.max((at - from.at) / (to.at - from.at), 0), 1) : 1;
  return {
    x: from.x + part * (to.x - from.x),
    y: from.y + part * (to.y - from.y),
    turn: (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI,
    air: to.air,
  };
}

// The last stretch that was driven, without what was flown over.
function driven(road, at) {
  const behind = road.points.filter((point) => point.at <= at && point.at > at - 60);
  const cut = behind.findLastIndex((point) => point.air);
  return behind.slice(Math.max(cut, 0)).map((point) => `${point.x},${point.y}`).join(" ");
}

// Where on the way the near misses are: the place on the path nearest to each.
function closePlaces(road, misses) {
  return misses.filter((miss) => miss.margin_mm < CLOSE_MM).map((miss) => {
    const [x, y] = miss.at_mm;
    const far = road.points.map((point) => Math.hypot(point.x - x, point.y - y));
    return { at: road.points[far.indexOf(Math.min(...far))].at, words: `${miss.margin_mm.toFixed(2)} mm` };
  });
}

function drawCar(svg) {
  const car = draw(svg, "g", { class: "car" });
  for (const shape of [
    { d: "M-5 -3.2h7.5l3.5 3.2l-3.5 3.2h-7.5z", class: "car-body" },
    { d: "M-1 -1.8h3v3.6h-3z", class: "car-window" },
  ]) {
    const part = document.createElementNS(SVG, "path");
    for (const [name_, value] of Object.entries(shape)) part.setAttribute(name_, value);
    car.append(part);
  }
  return car;
}

function draw(svg, kind, attributes) {
  const made = document.createElementNS(SVG, kind);
  for (const [name_, value] of Object.entries(attributes)) made.setAttribute(name_, value);
  svg.append(made);
  return made;
}

function input(type, words, attributes) {
  const label = document.createElement("label");
  label.className = type === "checkbox" ? "choice" : "replay-range";
  const box = document.createElement("input");
  box.type = type;
  for (const [name_, value] of Object.entries(attributes)) box.setAttribute(name_, value);
  const text = document.createElement("span");
  text.textContent = words;
  label.append(...(type === "checkbox" ? [box, text] : [text, box]));
  return { label, box };
}

function name(made, words, sign) {
  made.querySelector("span").textContent = sign;
  made.lastChild.textContent = ` ${words}`;
}
