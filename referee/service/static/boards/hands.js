// Fingers, mouse and keys on the board: taps set points or choose, handles are dragged, a test drive is drawn.
// What is not caught here moves the board (`viewer.js`).
import { far, nearestOn, ring, rounded, snapped } from "./shapes.js";

const SNAP_PX = 14;
const NEAR_PX = 16;
const SAME_PX = 6;
const KEY_MM = 1, KEY_FAR_MM = 8;
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const DRIVE_STEP_PX = 1.5;

export function listen(desk) {
  const { canvas, state } = desk;
  const { svg, viewer } = canvas;
  const place = (event) => {
    const { x, y } = viewer.place(event);
    return [x, y];
  };

  function snap(at, kind, event, but) {
    if (!desk.snaps || event?.altKey) return rounded(at);
    const reach = Math.min(SNAP_PX * canvas.unit(), 4);
    return rounded(snapped(at, kind, { elements: state.elements, suggestions: desk.open(), reach, but }));
  }

  // ---------------------------------------------------------------------------------------------------- taps
  svg.addEventListener("click", (event) => {
    if (desk.tool === "drive" || event.target.closest(".handle")) return;
    if (desk.tool !== "select") return desk.add(snap(place(event), desk.tool, event));
    return choose(place(event), event);
  });
  // Two taps on one spot are the end; two quick ones farther apart are two points.
  svg.addEventListener("dblclick", () => {
    const [before, last] = desk.drawing.slice(-2);
    if (!last || far(before, last) > SAME_PX * canvas.unit()) return;
    desk.drawing.pop();
    desk.done();
  });

  function choose(at, event) {
    const traced = event.target.closest("[data-element]"), suggested = event.target.closest("[data-suggestion]");
    if (suggested) return desk.show(Number(suggested.dataset.suggestion));
    if (traced) return desk.select(Number(traced.dataset.element));
    const reach = NEAR_PX * canvas.unit();
    const near = state.elements.map((one, number) => ({ number, away: nearestOn(ring(one), at).far })).sort((a, b) => a.away - b.away)[0];
    return desk.select(near && near.away <= reach ? near.number : null);
  }

  // --------------------------------------------------------------------------------------------------- handles
  canvas.layers.handles.addEventListener("pointerdown", (event) => {
    const handle = event.target.closest(".handle");
    const element = state.elements[desk.selected];
    if (!handle || !element) return;
    event.stopPropagation();
    event.preventDefault();
    let number = Number(handle.dataset.point);
    state.begin();
    if (handle.classList.contains("between")) {
      number += 1;
      state.go(({ elements }) => elements[desk.selected].points.splice(number, 0, rounded(place(event))));
    }
    desk.choosePoint(number);
    drag(event, number);
  });

  function drag(first, number) {
    const from = place(first), start = state.elements[desk.selected].points[number];
    let moved = false;
    const move = (event) => {
      if (event.pointerId !== first.pointerId) return;
      const to = place(event), element = state.elements[desk.selected];
      const at = snap([start[0] + to[0] - from[0], start[1] + to[1] - from[1]], element.kind, event, element);
      moved = true;
      state.go(({ elements }) => { elements[desk.selected].points[number] = at; });
      desk.glass.show(at, 1 / canvas.unit(), event);
    };
    const end = (event) => {
      if (event.pointerId !== first.pointerId) return;
      for (const [kind, hear] of heard) removeEventListener(kind, hear);
      desk.glass.hide();
      state.end(moved);
    };
    const heard = [["pointermove", move], ["pointerup", end], ["pointercancel", end]];
    for (const [kind, hear] of heard) addEventListener(kind, hear);
  }

  canvas.layers.handles.addEventListener("keydown", (event) => {
    const handle = event.target.closest(".handle");
    if (!handle) return;
    const number = Number(handle.dataset.point), way = WAYS[event.key];
    const isOwn = handle.classList.contains("own");
    if (way && isOwn) {
      const step = event.shiftKey ? 5 : 0.5;
      state.change(({ elements }) => {
        const [x, y] = elements[desk.selected].points[number];
        elements[desk.selected].points[number] = rounded([x + way[0] * step, y + way[1] * step]);
      });
    } else if ((event.key === "Delete" || event.key === "Backspace") && isOwn) desk.removePoint(number);
    else if (event.key === "Enter" || event.key === " ") {
      if (isOwn) desk.choosePoint(number);
      else {
        const points = ring(state.elements[desk.selected]);
        const at = [(points[number][0] + points[number + 1][0]) / 2, (points[number][1] + points[number + 1][1]) / 2];
        state.change(({ elements }) => elements[desk.selected].points.splice(number + 1, 0, rounded(at)));
        desk.choosePoint(number + 1);
      }
    } else return;
    event.preventDefault();
    event.stopPropagation();
    canvas.layers.handles.querySelector(`.own[data-point="${desk.point ?? number}"]`)?.focus();
  });
  canvas.layers.handles.addEventListener("focusin", (event) => {
    const own = event.target.closest(".own");
    if (own) desk.notePoint(Number(own.dataset.point));
  });

  // ---------------------------------------------------------------------------------------------- a test drive
  svg.addEventListener("pointerdown", (event) => {
    if (desk.tool !== "drive" || !event.isPrimary || event.button) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    svg.setPointerCapture(event.pointerId);
    const stroke = [place(event)];
    desk.strokes.push(stroke);
    const move = (now) => {
      if (now.pointerId !== event.pointerId) return;
      for (const one of now.getCoalescedEvents?.() ?? [now]) {
        const at = place(one), last = stroke.at(-1);
        if (Math.hypot(at[0] - last[0], at[1] - last[1]) >= DRIVE_STEP_PX * canvas.unit()) stroke.push(rounded(at));
      }
      desk.drawDrive();
    };
    const end = (now) => {
      if (now.pointerId !== event.pointerId) return;
      svg.removeEventListener("pointermove", move);
      if (stroke.length < 2) desk.strokes.splice(desk.strokes.indexOf(stroke), 1);
      desk.driven();
    };
    svg.addEventListener("pointermove", move);
    for (const kind of ["pointerup", "pointercancel"]) svg.addEventListener(kind, end, { once: true });
  }, { capture: true });

  // ------------------------------------------------------------------------------------------------- the keyboard
  svg.addEventListener("keydown", (event) => {
    if (event.target !== svg) return;
    if (desk.tool !== "select" && crossed(event)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else if (desk.tool === "select" && (event.key === "Delete" || event.key === "Backspace") && desk.selected !== null) {
      desk.remove();
      event.preventDefault();
    }
  }, { capture: true });

  function crossed(event) {
    const way = WAYS[event.key];
    if (way) {
      const step = event.shiftKey ? KEY_FAR_MM : KEY_MM, [width, height] = state.tracing.size_mm;
      const from = desk.cursor ?? desk.drawing.at(-1) ?? [width / 2, height / 2];
      desk.cursor = [Math.min(Math.max(from[0] + way[0] * step, 0), width), Math.min(Math.max(from[1] + way[1] * step, 0), height)];
      desk.draw();
      return true;
    }
    if (event.key === "Enter" || event.key === " ") {
      if (!desk.cursor) return false;
      if (desk.tool === "drive") desk.driveTo(rounded(desk.cursor));
      else desk.add(snap(desk.cursor, desk.tool, event));
      return true;
    }
    if (event.key === "Backspace") {
      desk.back();
      return true;
    }
    if (event.key === "Escape") {
      desk.done();
      return true;
    }
    return false;
  }

  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.matches("input, textarea, select")) return;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) desk.undo();
    else if (key === "y" || (key === "z" && event.shiftKey)) desk.redo();
    else return;
    event.preventDefault();
  });


}
