// Where is the board: four corners to drag, and how large it is.
import { call, wordsOf } from "../api.js";
import { makeGlass } from "./glass.js";
import { proportion } from "./proportion.js";
import { made, path, placeIn, put, unitsPerPixel } from "./svg.js";

const A4 = 297 / 210;
const LIKE_A4 = 0.035;
const frame = document.getElementById("corners");
const draft = JSON.parse(frame.dataset.draft);
const [width, height] = draft.seen.size_wh;
const form = document.getElementById("size");
let corners = draft.seen.corners.map(([x, y]) => [x, y]);

// ------------------------------------------------------------------------------------------------------ the picture

const picture = made("image", { href: frame.dataset.picture, width, height });
const outline = made("path", { class: "outline" });
const svg = made("svg", { viewBox: `0 0 ${width} ${height}`, class: "corner-picture", role: "group", "aria-label": frame.dataset.label }, picture, outline);
frame.append(svg);
const glass = makeGlass(frame, { address: frame.dataset.picture, width, height, label: frame.dataset.glass });
glass.lines.append(made("path", { class: "outline" }));
const handles = corners.map((_, number) => handle(number));

function handle(number) {
  const one = made("g", { class: "handle", tabindex: "0", role: "button", "aria-label": frame.dataset[`corner-${number}`] ?? frame.getAttribute(`data-corner-${number}`) });
  one.append(made("circle", { class: "reach" }), made("circle", { class: "ring" }), made("path", { class: "cross" }), made("text", {}, String(number + 1)));
  svg.append(one);
  one.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    one.setPointerCapture(event.pointerId);
    one.focus();
    const from = placeIn(svg, event), start = corners[number];
    const move = (now) => {
      const to = placeIn(svg, now);
      set(number, [start[0] + to[0] - from[0], start[1] + to[1] - from[1]], now);
    };
    move(event);
    const end = () => {
      glass.hide();
      one.removeEventListener("pointermove", move);
    };
    one.addEventListener("pointermove", move);
    for (const kind of ["pointerup", "pointercancel"]) one.addEventListener(kind, end, { once: true });
  });
  one.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) return;
    event.preventDefault();
    const step = event.shiftKey ? 20 : 1;
    set(number, [corners[number][0] + way[0] * step, corners[number][1] + way[1] * step]);
  });
  one.addEventListener("blur", () => glass.hide());
  return one;
}

function set(number, [x, y], event) {
  corners[number] = [Math.min(Math.max(x, -width / 4), width * 1.25), Math.min(Math.max(y, -height / 4), height * 1.25)];
  draw();
  glass.show(corners[number], 1 / unitsPerPixel(svg), event);
}

function draw() {
  const unit = unitsPerPixel(svg);
  put(outline, { d: path(corners, true), "stroke-width": 2.5 * unit });
  put(glass.lines.firstChild, { d: path(corners, true) });
  handles.forEach((one, number) => {
    put(one, { transform: `translate(${corners[number]}) scale(${unit})` });
    const [reach, ring, cross, label] = one.children;
    put(reach, { r: 26 });
    put(ring, { r: 15 });
    put(cross, { d: "M-15 0H-3M3 0H15M0 -15V-3M0 3V15" });
    put(label, { x: 19, y: -13 });
  });
  told();
}

addEventListener("resize", draw);
picture.addEventListener("load", draw);
document.getElementById("turn").addEventListener("click", () => {
  corners = [...corners.slice(1), corners[0]];
  draw();
});

// --------------------------------------------------------------------------------------------------------- the size

const choice = () => form.elements.size.value;
const long = document.getElementById("long"), wide = document.getElementById("width"), high = document.getElementById("height");

function size() {
  const broad = proportion(corners, [width, height]);
  if (choice() === "a4") return [297, 210];
  if (choice() === "a4-tall") return [210, 297];
  if (choice() === "both") return [wide.valueAsNumber, high.valueAsNumber];
  const side = long.valueAsNumber;
  return broad >= 1 ? [side, side / broad] : [side * broad, side];
}

function told() {
  const broad = proportion(corners, [width, height]);
  const off = Math.abs(Math.log(Math.max(broad, 1 / broad) / A4));
  document.getElementById("shape").textContent = off < LIKE_A4 ? frame.dataset.looksA4 : frame.dataset.notA4;
  document.getElementById("of-long").hidden = choice() !== "long";
  document.getElementById("of-both").hidden = choice() !== "both";
  const short = Math.min(...size());
  document.getElementById("tells").textContent = Number.isFinite(short) ? frame.dataset.tells.replace("{short}", Math.round(short)) : "";
}

form.addEventListener("input", told);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const refused = document.getElementById("refused");
  refused.textContent = "";
  const size_mm = size().map((side) => Math.round(side * 10) / 10);
  try {
    await call("PUT", frame.dataset.api, { version: draft.version, corners, size_mm });
    location.assign(frame.dataset.page);
  } catch (fault) {
    refused.textContent = wordsOf(fault, frame.dataset.lost);
  }
});

// What is first offered: A4 the way it lies, if it looks like it.
const first = proportion(corners, [width, height]);
if (draft.seen.size_mm) {
  form.elements.size.value = "both";
  [wide.value, high.value] = draft.seen.size_mm;
} else if (Math.abs(Math.log(Math.max(first, 1 / first) / A4)) >= LIKE_A4) form.elements.size.value = "long";
else if (first < 1) form.elements.size.value = "a4-tall";
draw();
