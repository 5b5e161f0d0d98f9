// The tracing editor: the desk on which canvas, hands and panels work. Start here.
import { call, wordsOf } from "../api.js";
import { makeCanvas } from "./canvas.js";
import { makeGlass } from "./glass.js";
import { listen } from "./hands.js";
import { filled, pressed, showDrive, showFound, showLacks, showList, showSelected } from "./panel.js";
import { KEYED, OPEN, arrow, freeKey, length, middle, nearestOn, rounded } from "./shapes.js";
import { makeState } from "./state.js";

const root = document.getElementById("editor");
const words = JSON.parse(root.dataset.words);
const draft = JSON.parse(root.dataset.draft);
const part = (id) => document.getElementById(id);
const TOOLS = ["select", "white-line", "course", "start", "finish", "checkpoint", "jump", "landing", "acceleration", "slowdown", "oil-spill", "pipe", "drive"];
const TWO_POINTS = new Set(["start", "finish", "checkpoint"]);
const ZONES = new Set(["jump", "landing", "acceleration", "slowdown", "pipe"]);
let look = { lacks: [], roads: [], course: [], ready: false };

const state = makeState({
  draft,
  api: root.dataset.api,
  onChange: () => desk.draw(),
  onLook: (heard) => {
    look = heard;
    canvas.roads(look);
    canvas.lacks(look.lacks);
    showLacks(part("missing"), look, desk);
  },
  onKeeping: (how, fault) => keeping(how, fault),
});
const size = state.tracing.size_mm;
const canvas = makeCanvas(part("canvas"), {
  picture: root.dataset.picture,
  size,
  label: words.board,
  words: { zoomIn: words.zoom_in, zoomOut: words.zoom_out, whole: words.whole, turnWords: words.keys },
});
const glass = makeGlass(canvas.viewer.frame, { address: root.dataset.picture, width: size[0], height: size[1], label: words.glass });

const desk = {
  state, canvas, words, glass,
  tool: "select",
  selected: null, point: null, shown: null,
  drawing: [], extending: null, cursor: null,
  strokes: [], judged: null, refused: "",
  snaps: true,

  // ------------------------------------------------------------------------------------------- showing
  draw() {
    if (this.selected !== null && !state.elements[this.selected]) this.selected = this.point = null;
    canvas.lines(state, this.selected);
    canvas.found(this.open(), this.shown);
    canvas.handles(this.tool === "select" ? state.elements[this.selected] : null, this.point, {
      own: (number) => filled(words.point, { number }),
      between: (number) => filled(words.new_point, { number }),
    });
    canvas.drawing(this.drawing, this.tool, this.tool === "select" ? null : this.cursor);
    this.panels();
  },
  panels() {
    showFound(part("found"), this);
    showSelected(part("selected-panel"), part("selected-title"), part("selected"), this);
    showList(part("drawn"), this);
    showDrive(part("drive-panel"), part("drive-told"), this);
    atHand();
  },
  lookAt(at) {
    canvas.lookAt(at);
    canvas.svg.scrollIntoView({ block: "nearest" });
  },
  open() {
    const settled = new Set(state.settled);
    return draft.suggestions.map((one, number) => ({ ...one, number })).filter((one) => !settled.has(one.number));
  },

  // ------------------------------------------------------------------------------------------- choosing
  take(tool) {
    this.done();
    if (this.tool === "drive" && tool !== "drive") this.wipe();
    this.tool = tool;
    this.extending = null;
    if (tool !== "select") this.selected = this.point = null;
    for (const button of part("tools").children) button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
    const key = ZONES.has(tool) ? "zone" : tool;
    part("tool-words").textContent = words[`say_${key}`];
    canvas.svg.classList.toggle("drawing-now", tool !== "select");
    canvas.svg.classList.toggle("driving-now", tool === "drive");
    this.draw();
  },
  select(number) {
    if (this.tool !== "select") this.take("select");
    this.selected = number;
    this.point = null;
    this.draw();
  },
  choosePoint(number) {
    this.point = number;
    this.draw();
  },
  notePoint(number) {
    this.point = number;
    showSelected(part("selected-panel"), part("selected-title"), part("selected"), this);
  },
  show(number, moves = false) {
    this.shown = number;
    const one = draft.suggestions[number];
    if (moves) this.lookAt(middle(one.points));
    this.draw();
  },

  // ------------------------------------------------------------------------------------------- drawing
  add(at) {
    if (this.tool === "select") return;
    this.cursor = null;
    this.drawing.push(at);
    if (TWO_POINTS.has(this.tool) && this.drawing.length === 2) this.done();
    else this.draw();
  },
  back() {
    if (this.tool === "drive") {
      const last = this.strokes.at(-1);
      if (last) this.strokes.pop();
      this.drawDrive();
    } else this.drawing.pop();
    this.draw();
  },
  // What was drawn becomes an element; too little of it becomes nothing.
  done() {
    const points = this.drawing, kind = this.tool, extending = this.extending;
    this.drawing = [];
    this.extending = null;
    this.cursor = null;
    if (extending !== null && points.length > 1) {
      state.change(({ elements }) => elements[extending].points.push(...points.slice(1)));
    } else if (kind !== "select" && kind !== "drive" && points.length >= (OPEN.has(kind) || kind === "start" ? 2 : 3) && length(points) > 1) {
      state.change(({ elements }, now) => {
        const made = this.madeOf(kind, points);
        elements.push(made);
        now.settled.push(...this.open().filter((one) => isDrawnOver(one, made)).map((one) => one.number));
      });
    } else this.draw();
  },
  madeOf(kind, points) {
    const made = { kind, points: kind === "start" ? arrow(...points) : points };
    if (KEYED[kind]) made.key = freeKey(kind, state.elements);
    if (kind === "white-line") made.width_mm = usualWidth();
    if (kind === "white-line" && points.length > 3 && length([points[0], points.at(-1)]) < 1) {
      made.closed = true;
      made.points = points.slice(0, -1);
    }
    return made;
  },
  extend() {
    const number = this.selected, { kind, points } = state.elements[number];
    this.take(kind);
    this.extending = number;
    this.drawing = [points.at(-1)];
    this.draw();
  },
  reverse() {
    state.change(({ elements }) => elements[this.selected].points.reverse());
  },
  remove() {
    const number = this.selected;
    this.selected = this.point = null;
    state.change(({ elements }) => elements.splice(number, 1));
  },
  removePoint(number) {
    const element = state.elements[this.selected];
    if (element.points.length <= (OPEN.has(element.kind) ? 2 : 3)) return;
    this.point = null;
    state.change(({ elements }) => elements[this.selected].points.splice(number, 1));
  },
  undo() {
    if (this.drawing.length) return this.back();
    return state.undo();
  },
  redo() {
    state.redo();
  },

  // ------------------------------------------------------------------------------------------- suggestions
  accept(some) {
    state.change(({ elements }, now) => {
      for (const [one, kind] of some) {
        const made = { kind, points: one.points.map((at) => rounded(at)), closed: one.closed };
        if (kind === "white-line" || kind === "oil-spill") made.width_mm = one.width_mm;
        if (KEYED[kind]) made.key = freeKey(kind, elements);
        elements.push(made);
        now.settled.push(one.number);
      }
    });
    this.shown = null;
    this.draw();
  },
  reject(some) {
    state.change((_, now) => now.settled.push(...some.map((one) => one.number)));
    this.shown = null;
    this.draw();
  },

  // ------------------------------------------------------------------------------------------- the test drive
  drawDrive() {
    canvas.drive(this.strokes, this.judged?.events ?? []);
  },
  driveTo(at) {
    const last = this.strokes.at(-1);
    if (last && !last.ended) last.push(at);
    else this.strokes.push([at]);
    this.drawDrive();
  },
  driven() {
    this.judged = null;
    this.drawDrive();
    this.judge();
  },
  wipe() {
    this.strokes = [];
    this.judged = null;
    this.refused = "";
    this.drawDrive();
    showDrive(part("drive-panel"), part("drive-told"), this);
  },
  async judge() {
    const strokes = this.strokes.filter((stroke) => stroke.length > 1);
    this.refused = strokes.length ? "" : words.drive_none;
    if (strokes.length) {
      try {
        await state.keep();
        this.judged = await call("POST", `${root.dataset.api}/drive`, { strokes });
      } catch (fault) {
        this.judged = null;
        this.refused = wordsOf(fault, words.offline);
      }
    }
    this.drawDrive();
    showDrive(part("drive-panel"), part("drive-told"), this);
  },
};

// Whether somebody drew by hand what had been found: then it need not be asked for any more.
function isDrawnOver(one, made) {
  const isZone = one.kind === "zone" && ZONES.has(made.kind);
  if (!isZone && one.kind !== made.kind) return false;
  if (made.kind === "white-line") return one.points.every((at) => nearestOn(made.points, at).far < 3);
  return length([middle(one.points), middle(made.points)]) < 6;
}

function usualWidth() {
  const widths = [...state.elements, ...draft.suggestions].filter((one) => one.kind === "white-line" && one.width_mm).map((one) => one.width_mm).sort((a, b) => a - b);
  return widths.length ? widths[Math.floor(widths.length / 2)] : 2;
}

// ------------------------------------------------------------------------------------------------- buttons at hand

for (const tool of TOOLS) {
  const button = pressed(words[`tool_${tool}`], () => desk.take(tool), { kind: `tool tool-${tool}` });
  button.dataset.tool = tool;
  button.setAttribute("aria-pressed", "false");
  part("tools").append(button);
}
const buttons = {
  done: pressed(words.done, () => desk.done(), { kind: "primary" }),
  back: pressed(words.back_point, () => desk.back()),
  undo: pressed(words.undo, () => desk.undo()),
  redo: pressed(words.redo, () => desk.redo()),
};
const snaps = document.createElement("label");
snaps.className = "choice";
const box = document.createElement("input");
Object.assign(box, { type: "checkbox", checked: true });
box.addEventListener("change", () => { desk.snaps = box.checked; });
snaps.append(box, words.snap);
part("at-hand").append(...Object.values(buttons), snaps);

function atHand() {
  buttons.done.hidden = buttons.back.hidden = !desk.drawing.length;
  buttons.undo.disabled = !state.canUndo && !desk.drawing.length;
  buttons.redo.disabled = !state.canRedo;
}

function keeping(how, fault) {
  const place = part("keeping");
  place.className = `keeping ${how === "saved" || how === "saving" ? "soft" : "trouble"}`;
  place.textContent = how === "refused" ? wordsOf(fault, "") : words[how];
  if (how === "conflict") place.append(" ", pressed(words.reload, () => {
    localStorage.removeItem(`board-${draft.id}`);
    location.reload();
  }));
}

// ------------------------------------------------------------------------------------------------- name and saving

for (const name of ["name", "number", "theme"]) {
  const input = part(name);
  input.value = state.tracing[name] ?? "";
  input.addEventListener("change", () => {
    const value = name === "number" ? input.valueAsNumber : input.value;
    if (name === "number" && !(value >= 1 && value <= 9999)) return;
    state.change((tracing) => { tracing[name] = value; });
  });
}

part("save").addEventListener("click", async () => {
  const told = part("save-told");
  told.textContent = "";
  try {
    await state.keep();
    const saved = await call("POST", `${root.dataset.api}/save`, { version: state.version });
    state.version = saved.version;
    told.textContent = filled(words.saved_as, { number: saved.number });
    part("save").textContent = words.save_again;
    part("saved-next").hidden = false;
  } catch (fault) {
    told.textContent = fault.code === "board-not-whole" ? words.save_first : wordsOf(fault, words.offline);
  }
});

// The help is open until somebody has begun.
part("help").open = !state.elements.length;
listen(desk);
desk.take("select");
if (state.isDirty) state.start();
else {
  call("GET", `${root.dataset.api}/look`).then((heard) => {
    look = heard;
    canvas.roads(look);
    canvas.lacks(look.lacks);
    showLacks(part("missing"), look, desk);
  }).catch(() => keeping("offline"));
}
