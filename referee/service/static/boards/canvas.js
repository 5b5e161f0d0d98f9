// The board with everything that is drawn on it. It only shows; `hands.js` hears of what is done to it.
import { makeViewer } from "../viewer.js";
import { isClosed, length, middle, ring } from "./shapes.js";
import { made, path, put, unitsPerPixel } from "./svg.js";

const ARROW_EVERY_MM = 30;
const HANDLE_PX = 7;
const REACH_PX = 18;

export function makeCanvas(place, { picture, size: [width, height], words, label }) {
  const layers = Object.fromEntries(
    ["roads", "found", "lines", "drive", "lacks", "drawing", "handles"].map((name) => [name, made("g", { class: name })]),
  );
  const image = made("image", { href: picture, width, height, preserveAspectRatio: "none" });
  const svg = made("svg", { class: "board tracing", viewBox: `0 0 ${width} ${height}`, role: "application", "aria-label": label }, image, ...Object.values(layers));
  place.append(svg);
  const viewer = makeViewer(svg, words, words.whole, { doubleClick: false });
  new MutationObserver(() => sizes()).observe(svg, { attributes: true, attributeFilter: ["viewBox"] });
  addEventListener("resize", () => sizes());

  // What is to have the same size on the screen however near the board is.
  function sizes() {
    const unit = unitsPerPixel(svg);
    svg.style.setProperty("--px", unit);
    for (const one of svg.querySelectorAll("[data-px]")) put(one, { r: Number(one.dataset.px) * unit });
    for (const one of svg.querySelectorAll("[data-at]")) put(one, { transform: `translate(${one.dataset.at}) scale(${unit})` });
  }

  function lines(state, selected) {
    layers.lines.replaceChildren(...state.elements.map((element, number) => drawn(element, number, number === selected)));
  }

  function drawn(element, number, isSelected) {
    const d = path(element.points, isClosed(element));
    const group = made("g", { class: `traced ${element.kind}${isSelected ? " selected" : ""}`, "data-element": number });
    if (element.kind === "white-line" || element.kind === "oil-spill") group.append(made("path", { class: "band", d, "stroke-width": element.width_mm ?? 2 }));
    group.append(made("path", { class: "line", d }), made("path", { class: "touch", d }));
    if (element.kind === "course") group.append(...arrows(element.points));
    if (element.key) group.append(label(element.key, middle(element.points)));
    return group;
  }

  function label(text, [x, y]) {
    const group = made("g", { class: "key", "data-at": `${x} ${y}` });
    group.append(made("text", { "text-anchor": "middle", y: 5 }, text));
    return group;
  }

  function arrows(points) {
    const found = [];
    let next = ARROW_EVERY_MM / 2;
    let gone = 0;
    for (let i = 0; i + 1 < points.length; i += 1) {
      const [a, b] = [points[i], points[i + 1]];
      const long = length([a, b]);
      while (gone + long >= next && long > 0) {
        const share = (next - gone) / long;
        const turn = (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI;
        found.push(made("path", { class: "way", d: "M-2 -2L2 0L-2 2", transform: `translate(${a[0] + (b[0] - a[0]) * share} ${a[1] + (b[1] - a[1]) * share}) rotate(${turn})` }));
        next += ARROW_EVERY_MM;
      }
      gone += long;
    }
    return found;
  }

  return {
    svg,
    viewer,
    layers,
    unit: () => unitsPerPixel(svg),
    sizes,
    lines,
    found(suggestions, shown) {
      layers.found.replaceChildren(...suggestions.map(({ number, ...one }) => {
        const d = path(one.points, one.closed);
        const group = made("g", { class: `suggested ${one.kind}${number === shown ? " shown" : ""}`, "data-suggestion": number });
        group.append(made("path", { class: "line", d }), made("path", { class: "touch", d }));
        return group;
      }));
    },
    roads(look) {
      layers.roads.replaceChildren(
        ...look.roads.map((road) => made("path", { class: "road", d: path(road, true) })),
        ...look.course.map((piece) => made("path", { class: "worked-out", d: path(piece) })),
      );
    },
    lacks(list) {
      layers.lacks.replaceChildren(...list.filter((lack) => lack.at_mm).map((lack) => {
        const pin = made("g", { class: `lack ${lack.level}`, "data-at": lack.at_mm.join(" ") });
        pin.append(made("circle", { r: 10 }), made("text", { "text-anchor": "middle", y: 5 }, "!"));
        return pin;
      }));
      sizes();
    },
    // The points of what is selected, to be dragged, and small ones between them that make new ones.
    handles(element, chosen, name) {
      if (!element) return layers.handles.replaceChildren();
      const points = ring(element);
      const between = points.slice(1).map((to, i) => handle("between", i, [(points[i][0] + to[0]) / 2, (points[i][1] + to[1]) / 2], 4, name.between(i + 1)));
      const own = element.points.map((at, i) => handle(`own${i === chosen ? " chosen" : ""}`, i, at, HANDLE_PX, name.own(i + 1)));
      layers.handles.replaceChildren(...(element.points.length < 200 ? between : []), ...own);
      return sizes();
    },
    drawing(points, kind, cursor) {
      const dots = points.map(([x, y]) => made("circle", { class: "dot", cx: x, cy: y, "data-px": 4 }));
      const line = made("path", { class: `line ${kind}`, d: path(points) });
      const cross = cursor ? [made("path", { class: "cursor", d: "M-14 0H-3M3 0H14M0 -14V-3M0 3V14", "data-at": cursor.join(" ") })] : [];
      layers.drawing.replaceChildren(...(points.length ? [line] : []), ...dots, ...cross);
      sizes();
    },
    drive(strokes, events) {
      const pins = events.map((event, number) => {
        const pin = made("g", { class: `event ${event.kind}`, "data-at": event.at_mm.join(" ") });
        pin.append(made("circle", { r: 11 }), made("text", { "text-anchor": "middle", y: 5 }, String(number + 1)));
        return pin;
      });
      layers.drive.replaceChildren(...strokes.map((stroke) => made("path", { class: "ink", d: path(stroke) })), ...pins);
      sizes();
    },
    lookAt([x, y], scale = 4) {
      viewer.lookAt(x, y, scale);
    },
  };
}

function handle(kind, number, [x, y], pixels, label) {
  const group = made("g", { class: `handle ${kind}`, "data-point": number, tabindex: "0", role: "button", "aria-label": label });
  group.append(made("circle", { class: "reach", cx: x, cy: y, "data-px": kind === "between" ? 11 : REACH_PX }));
  group.append(made("circle", { class: "ring", cx: x, cy: y, "data-px": pixels }));
  return group;
}
