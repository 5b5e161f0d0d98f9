// What stands beside the board: what is missing, what was found, what is selected, the list of all that is drawn.
import { KEYED, PAIRS, PATTERNS, length, middle, ring } from "./shapes.js";

const SURE = 0.6; // what is less sure is asked one by one
const ZONES = ["jump", "landing", "acceleration", "slowdown"];

export function filled(words, values) {
  return Object.entries(values).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, value), words);
}

export function pressed(words, act, { kind = "", label = "" } = {}) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = words;
  made.className = kind;
  if (label) made.setAttribute("aria-label", label);
  made.addEventListener("click", act);
  return made;
}

export function text(kind, words) {
  const made = document.createElement("p");
  made.className = kind;
  made.textContent = words;
  return made;
}

function row(...inside) {
  const made = document.createElement("div");
  made.className = "actions";
  made.append(...inside);
  return made;
}

export function showLacks(place, look, desk) {
  const list = document.createElement("ul");
  list.className = "lacks-list";
  for (const lack of look.lacks) {
    const line = document.createElement("li");
    line.className = lack.level;
    const told = document.createElement("strong");
    told.textContent = lack.text;
    line.append(told, ` ${lack.hint} `);
    if (lack.at_mm) {
      line.append(pressed(desk.words.show, () => {
        desk.lookAt(lack.at_mm);
        if (lack.element !== null) desk.select(lack.element);
      }, { kind: "quiet", label: `${desk.words.show}: ${lack.text}` }));
    }
    list.append(line);
  }
  place.replaceChildren(...wholeness(look, desk.words), ...(look.lacks.length ? [list] : []));
}

// What is said first of a board that nothing necessary is missing from.
function wholeness(look, words) {
  if (!look.ready || look.lacks.some((one) => one.level === "error")) return [];
  const count = look.lacks.length;
  return [text("all-there", count ? filled(words.missing_remarks, { count }) : words.missing_none)];
}

export function showFound(place, desk) {
  const open = desk.open(), words = desk.words;
  if (!open.length) return place.replaceChildren(text("soft", words.found_none));
  const inside = [text("soft", words.found_how)];
  const all = ["white-line", "checkpoint", "oil-spill"]
    .map((kind) => [kind, open.filter((one) => one.kind === kind && one.sure >= SURE)])
    .filter(([, some]) => some.length > 1);
  inside.push(row(...all.map(([kind, some]) => pressed(filled(words[`accept_all_${kind}`], { count: some.length }), () => desk.accept(some.map((one) => [one, kind]))))));
  const at = Math.max(open.findIndex((one) => one.number === desk.shown), 0);
  const one = open[at];
  const called = one.kind === "zone" ? words.kind_zone : words[`tool_${one.kind}`];
  const asked = text("asked", filled(words.one_of, { number: at + 1, count: open.length, kind: called }));
  const kinds = one.kind === "zone" ? ZONES : [one.kind];
  inside.push(asked, row(
    ...kinds.map((kind) => pressed(filled(words.accept, { kind: words[`tool_${kind}`] }), () => desk.accept([[one, kind]]), { kind: "primary" })),
    pressed(words.reject, () => desk.reject([one])),
    pressed(words.next, () => desk.show(open[(at + 1) % open.length].number, true)),
    pressed(words.show, () => desk.show(one.number, true)),
    pressed(words.reject_rest, () => desk.reject(open), { kind: "quiet" }),
  ));
  return place.replaceChildren(...inside);
}

export function showSelected(panel, title, place, desk) {
  const element = desk.state.elements[desk.selected], words = desk.words;
  panel.hidden = !element;
  if (!element) return;
  title.textContent = words[`tool_${element.kind}`];
  const inside = [];
  if (KEYED[element.kind]) inside.push(keyField(element, desk));
  if (element.kind === "white-line" || element.kind === "oil-spill") inside.push(widthField(element, desk));
  const actions = [];
  if (desk.point !== null) actions.push(pressed(words.delete_point, () => desk.removePoint(desk.point)));
  if (element.kind === "course" || element.kind === "white-line") actions.push(pressed(words.extend, () => desk.extend()));
  if (element.kind === "course") actions.push(pressed(words.reverse, () => desk.reverse()));
  actions.push(pressed(words.delete, () => desk.remove(), { kind: "danger" }), pressed(words.done, () => desk.select(null)));
  inside.push(row(...actions));
  place.replaceChildren(...inside);
}

function keyField(element, desk) {
  const isJump = element.kind === "jump" || element.kind === "landing";
  const choices = [...new Set([...(isJump ? PATTERNS : PAIRS), element.key].filter(Boolean))];
  const select = document.createElement("select");
  for (const key of choices) select.append(new Option(key, key, false, key === element.key));
  select.addEventListener("change", () => desk.state.change(({ elements }) => { elements[desk.selected].key = select.value; }));
  return field(isJump ? desk.words.pattern : desk.words.pair, select);
}

function widthField(element, desk) {
  const input = document.createElement("input");
  Object.assign(input, { type: "number", min: "0.5", max: "6", step: "0.1", value: element.width_mm ?? 2 });
  input.addEventListener("change", () => {
    const width = input.valueAsNumber;
    if (width >= 0.5 && width <= 6) desk.state.change(({ elements }) => { elements[desk.selected].width_mm = width; });
  });
  return field(desk.words.line_width, input);
}

function field(words, control) {
  const label = document.createElement("label");
  label.className = "field";
  const told = document.createElement("span");
  told.textContent = words;
  label.append(told, control);
  return label;
}

export function showList(place, desk) {
  const { words, state } = desk;
  const numbers = {};
  const lines = state.elements.map((element, number) => {
    numbers[element.kind] = (numbers[element.kind] ?? 0) + 1;
    const line = document.createElement("li");
    const name = `${words[`tool_${element.kind}`]} ${numbers[element.kind]}`;
    const size = element.kind === "course" || element.kind === "white-line" ? ` · ${Math.round(length(ring(element)))} mm` : "";
    const open = pressed(`${name}${element.key ? ` “${element.key}”` : ""}${size}`, () => {
      desk.select(number);
      desk.lookAt(middle(element.points));
    }, { kind: "quiet" });
    if (number === desk.selected) open.setAttribute("aria-current", "true");
    line.append(open);
    return line;
  });
  if (!lines.length) {
    const none = document.createElement("li");
    none.textContent = words.list_none;
    lines.push(none);
  }
  place.replaceChildren(...lines);
}

export function showDrive(panel, place, desk) {
  panel.hidden = desk.tool !== "drive";
  const { words } = desk;
  const inside = [text("soft", words.drive_how), row(
    pressed(words.judge, () => desk.judge(), { kind: "primary" }),
    pressed(words.back_point, () => desk.back()),
    pressed(words.clear_drive, () => desk.wipe()),
  )];
  if (desk.refused) inside.push(text("refused", desk.refused));
  if (desk.judged) {
    const verdict = text(`badge ${desk.judged.verdict}`, desk.judged.words);
    const list = document.createElement("ol");
    list.className = "driven-events";
    for (const event of desk.judged.events) {
      const line = document.createElement("li");
      line.append(pressed(event.words, () => desk.lookAt(event.at_mm), { kind: "quiet" }));
      list.append(line);
    }
    inside.push(verdict, list);
  }
  place.replaceChildren(...inside);
}
