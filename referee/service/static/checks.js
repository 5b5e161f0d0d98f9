// The page where photos are handed in: chosen, taken or dropped, sent three at a time, their rows kept up to date.
import { call, wordsOf } from "./api.js";

const AT_ONCE = 3;
const LOOK_MS = 1000;
const form = document.getElementById("drop");
const sending = document.getElementById("sending");
const rows = document.getElementById("rows");
const said = document.getElementById("said");
const batch = crypto.getRandomValues(new Uint32Array(3)).join("").slice(0, 24);
const waiting = [];
let busy = 0;
let sent = 0;

// ---------------------------------------------------------------------------------------------------- handing in

function take(files) {
  for (const file of files) {
    const row = rowOf(file.name);
    if (file.size > form.dataset.most * 1e6) refuse(row, form.dataset.tooLarge);
    else waiting.push({ file, row });
  }
  while (busy < AT_ONCE && waiting.length) sendNext();
}

async function sendNext() {
  busy += 1;
  const { file, row } = waiting.shift();
  const body = new FormData();
  body.append("picture", file, file.name);
  body.append("batch", batch);
  try {
    await call("POST", form.dataset.api, body);
    row.remove();
    sent += 1;
  } catch (fault) {
    refuse(row, wordsOf(fault, form.dataset.lost));
  }
  sending.hidden = !sending.children.length;
  busy -= 1;
  if (waiting.length) sendNext();
  else if (busy === 0) tell();
  look();
}

function tell() {
  said.textContent = form.dataset.sent.replace("{count}", sent);
  sent = 0;
}

function rowOf(name) {
  const row = document.createElement("li");
  row.className = "row waiting";
  const blank = document.createElement("span");
  blank.className = "thumb";
  const words = document.createElement("div");
  words.append(line("told", form.dataset.sending), line("name", name));
  row.append(blank, words);
  sending.append(row);
  sending.hidden = false;
  return row;
}

function line(kind, words) {
  const part = document.createElement("div");
  part.className = kind;
  part.textContent = words;
  return part;
}

function refuse(row, words) {
  row.className = "row error";
  row.querySelector(".told").textContent = words;
  row.setAttribute("role", "alert");
}

form.addEventListener("submit", (event) => event.preventDefault());
document.getElementById("send").hidden = true;
for (const id of ["choose", "take"]) {
  const input = document.getElementById(id);
  const taken = () => {
    take([...input.files]);
    input.value = "";
  };
  input.addEventListener("change", taken);
  if (input.files.length) taken(); // chosen before this script was there
}
addEventListener("dragover", (event) => {
  event.preventDefault();
  form.classList.add("over");
});
for (const kind of ["dragleave", "drop", "dragend"]) addEventListener(kind, () => form.classList.remove("over"));
addEventListener("drop", (event) => {
  event.preventDefault();
  take(event.dataTransfer.files);
});

// ------------------------------------------------------------------------------------------------------- the rows

let looking = false;
let again = false;

// Fetch the rows and put in those that are new or different: what somebody is reading or about to press stays.
async function look() {
  if (looking) {
    again = true;
    return;
  }
  looking = true;
  try {
    const answer = await fetch(rows.dataset.rows, { cache: "no-store" });
    if (answer.ok) put(await answer.text());
  } catch {
    // The server is away for a moment; the next look may find it.
  }
  looking = false;
  if (again) {
    again = false;
    look();
  }
}

function put(text) {
  const fresh = new DOMParser().parseFromString(`<ul>${text}</ul>`, "text/html").querySelectorAll("li.row");
  const known = new Map([...rows.children].map((row) => [row.id, row]));
  let place = rows.firstElementChild;
  for (const row of fresh) {
    const old = known.get(row.id);
    known.delete(row.id);
    if (old && old.dataset.version === row.dataset.version) {
      if (old === place) place = place.nextElementSibling;
      else rows.insertBefore(old, place);
    } else {
      rows.insertBefore(document.adoptNode(row), place);
      if (old === place) place = place?.nextElementSibling ?? null;
      old?.remove();
    }
  }
  for (const gone of known.values()) gone.remove();
  document.getElementById("none").hidden = rows.children.length > 0;
  document.getElementById("whole").hidden = rows.children.length === 0;
}

setInterval(() => {
  if (busy || rows.querySelector('[data-state="waiting"], [data-state="running"]')) look();
}, LOOK_MS);
