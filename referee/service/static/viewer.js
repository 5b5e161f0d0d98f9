// Looking closely at a drawing: zoom and pan by finger, mouse and keyboard. Works on an SVG's viewBox, so that lines
// stay sharp.

const NEAREST = 16;
const STEP = 1.5;
const KEY_SHARE = 0.15;

// Give an SVG its buttons and make it movable. `change` listeners hear of every new window.
// Without `doubleClick` two quick taps are two taps.
export function makeViewer(svg, words, wholeWords = words.whole, { doubleClick = true } = {}) {
  const whole = svg.viewBox.baseVal;
  const { width, height } = whole;
  let view = { x: 0, y: 0, scale: 1 };
  const frame = document.createElement("div");
  frame.className = "viewer";
  svg.replaceWith(frame);
  const bar = document.createElement("div");
  bar.className = "actions viewer-bar no-print";
  frame.append(svg, bar);
  svg.setAttribute("tabindex", "0");
  svg.setAttribute("aria-description", words.turnWords);

  function show(next) {
    const scale = Math.min(Math.max(next.scale, 1), NEAREST);
    const limit = (at, side) => Math.min(Math.max(at, 0), side - side / scale);
    view = { scale, x: limit(next.x, width), y: limit(next.y, height) };
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${width / scale} ${height / scale}`);
    svg.classList.toggle("near", scale > 1.01);
  }

  function zoom(factor, at = { x: view.x + width / view.scale / 2, y: view.y + height / view.scale / 2 }) {
    const scale = Math.min(Math.max(view.scale * factor, 1), NEAREST);
    const rest = view.scale / scale;
    show({ scale, x: at.x - (at.x - view.x) * rest, y: at.y - (at.y - view.y) * rest });
  }

  function lookAt(x, y, scale) {
    show({ scale, x: x - width / scale / 2, y: y - height / scale / 2 });
  }

  // A place on the screen in board millimetres.
  function place(event) {
    const box = svg.getBoundingClientRect();
    return {
      x: view.x + ((event.clientX - box.left) / box.width) * (width / view.scale),
      y: view.y + ((event.clientY - box.top) / box.height) * (height / view.scale),
    };
  }

  addMoving(svg, { place, zoom, show, view: () => view, doubleClick });
  addKeys(svg, { zoom, show, view: () => view, width, height });
  bar.append(
    button(words.zoomIn, "+", () => zoom(STEP)),
    button(words.zoomOut, "−", () => zoom(1 / STEP)),
    button(wholeWords, "⤢", () => show({ x: 0, y: 0, scale: 1 })),
  );
  return { svg, bar, frame, lookAt, zoom, place, view: () => view, showWhole: () => show({ x: 0, y: 0, scale: 1 }) };
}

export function button(words, sign, act) {
  const made = document.createElement("button");
  made.type = "button";
  const mark = document.createElement("span");
  mark.setAttribute("aria-hidden", "true");
  mark.textContent = sign;
  made.append(mark, ` ${words}`);
  made.addEventListener("click", act);
  return made;
}

// One pointer drags, two pinch; a finger moves the page as long as the whole board is shown.
function addMoving(svg, { place, zoom, show, view, doubleClick }) {
  const down = new Map();
  let moved = 0;
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), place(event));
  }, { passive: false });
  if (doubleClick) svg.addEventListener("dblclick", (event) => zoom(2, place(event)));
  svg.addEventListener("dragstart", (event) => event.preventDefault());
  svg.addEventListener("pointerdown", (event) => {
    down.set(event.pointerId, event);
    moved = 0;
  });
  svg.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId);
    if (!before) return;
    if (down.size === 1) {
      const from = place(before), to = place(event), now = view();
      moved += Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY);
      if (moved > 4 && !svg.hasPointerCapture(event.pointerId)) svg.setPointerCapture(event.pointerId);
      show({ ...now, x: now.x + from.x - to.x, y: now.y + from.y - to.y });
    } else if (down.size === 2) {
      const other = [...down.values()].find((one) => one.pointerId !== event.pointerId);
      const span = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      moved += 5;
      zoom(span(event) / Math.max(span(before), 1), place({
        clientX: (event.clientX + other.clientX) / 2,
        clientY: (event.clientY + other.clientY) / 2,
      }));
    }
    down.set(event.pointerId, event);
  });
  for (const kind of ["pointerup", "pointercancel", "pointerleave"]) {
    svg.addEventListener(kind, (event) => down.delete(event.pointerId));
  }
  svg.addEventListener("click", (event) => {
    if (moved > 6) {
      event.preventDefault();
      event.stopPropagation();
    }
  }, true);
}

function addKeys(svg, { zoom, show, view, width, height }) {
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  svg.addEventListener("keydown", (event) => {
    const now = view();
    if (event.key === "+" || event.key === "=") zoom(STEP);
    else if (event.key === "-") zoom(1 / STEP);
    else if (event.key === "0") show({ x: 0, y: 0, scale: 1 });
    else if (ways[event.key] && now.scale > 1) {
      const [right, low] = ways[event.key];
      show({ ...now, x: now.x + (right * KEY_SHARE * width) / now.scale, y: now.y + (low * KEY_SHARE * height) / now.scale });
    } else return;
    event.preventDefault();
  });
}

// A close-up opens large, and can itself be looked at closely.
export function makeCloseups(sheets, words) {
  for (const image of sheets.querySelectorAll(".closeups img, .cards img")) {
    const opener = document.createElement("button");
    opener.type = "button";
    opener.className = "opener";
    image.replaceWith(opener);
    opener.append(image);
    opener.addEventListener("click", () => openLarge(image, words));
  }
}

function openLarge(image, words) {
  const box = document.createElement("dialog");
  box.className = "large";
  box.setAttribute("aria-label", image.alt);
  const side = 640;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${side} ${side}`);
  svg.setAttribute("class", "board closeup");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", image.alt);
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "image");
  for (const [name, value] of Object.entries({ href: image.src, width: side, height: side })) picture.setAttribute(name, value);
  svg.append(picture);
  const told = document.createElement("p");
  told.textContent = image.alt;
  box.append(svg, told);
  const viewer = makeViewer(svg, words, words.wholePicture);
  viewer.bar.append(button(words.close, "✕", () => box.close()));
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
}
