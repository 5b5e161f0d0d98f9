// A run's page, on the table and on the phone: the big clock, what is to do now, and the photos.
import { call, Refusal } from "./api.js";
import { reading, ServerTime, shown } from "./server_time.js";
import { Tones } from "./tones.js";

const OFTEN_MS = 500;
const SELDOM_MS = 1000;
const HIDDEN_MS = 3000;
const GO_SHOWN_MS = 800;

const page = document.getElementById("run");
const time = document.getElementById("time");
const count = document.getElementById("count");
const used = document.getElementById("used");
const now = document.getElementById("now");
const touch = document.getElementById("touch");
const said = document.getElementById("said");
const server = new ServerTime();
const tones = new Tones();
let state = JSON.parse(page.dataset.state);
let heard = false; // whether the server's time is known
let sendingPhoto = false;

// ------------------------------------------------------------------------------------------------------- the clock

function tick() {
  if (heard) show(reading(state.clock, server.now()));
  requestAnimationFrame(tick);
}

function show({ ms, countdown }) {
  put(time, "textContent", shown(ms, page.dataset.decimal));
  put(used, "value", Math.min(ms, used.max));
  if (!state.clock.runs) {
    put(count, "hidden", true);
    return;
  }
  const counts = countdown > 0;
  const phase = counts ? "counting" : "driving";
  const since = server.now() - state.clock.now_ms - state.clock.countdown_ms;
  const justGone = !counts && state.clock.countdown_ms > 0 && since < GO_SHOWN_MS;
  put(count, "hidden", !counts && !justGone);
  put(count, "textContent", counts ? String(Math.ceil(countdown / 1000)) : page.dataset.go);
  if (page.dataset.phase !== phase) begin(phase);
  const slow = now.querySelector('[data-when="slow"]');
  if (slow) put(slow, "hidden", ms < state.target_ms);
}

function put(part, name, value) {
  if (part[name] !== value) part[name] = value;
}

function begin(phase) {
  page.dataset.phase = phase;
  if (phase !== "driving") return;
  const finish = document.getElementById("do-finish");
  if (finish && [document.body, null].includes(document.activeElement)) finish.focus({ preventScroll: true });
}

// ----------------------------------------------------------------------------------------- what the server tells

// Ask, and keep the clock by the answer; one that others have overtaken says nothing new.
async function ask(method, address, body) {
  const asked = performance.now();
  const told = await call(method, address, body);
  const back = performance.now();
  server.hear(asked, back, told.clock);
  if (told.version >= state.version) await take(told);
  touch.hidden = true;
  return told;
}

async function take(told) {
  const before = state;
  state = told;
  heard = true;
  const counts = told.clock.countdown_ms > 0;
  if (counts && before.clock.countdown_ms === 0) {
    tones.countDown(reading(told.clock, server.now()).countdown);
    if (page.dataset.view === "table") scrollTo({ top: 0 });
  }
  if (!counts && told.phase !== "driving") tones.silence();
  if (before.phase === "driving" && told.phase === "stopped") tones.finish();
  if (!told.clock.runs) page.dataset.phase = told.phase;
  if (told.look !== now.firstElementChild?.dataset.look) await renew();
}

let renewing = 0;

// Fetch what is to do now, and put it in; what somebody has chosen or was at stays.
async function renew() {
  const turn = ++renewing;
  const answer = await fetch(page.dataset.now, { cache: "no-store" });
  if (!answer.ok || turn !== renewing) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").body;
  if (turn !== renewing) return;
  const chosen = [...now.querySelectorAll("input:checked, select")].map((field) => [field.name, field.value]);
  const sameTurn = now.querySelector('[name="turn"]')?.value === fresh.querySelector('[name="turn"]')?.value;
  const focused = now.contains(document.activeElement) ? document.activeElement.id : null;
  const headline = document.getElementById("headline")?.textContent;
  now.replaceChildren(...[...fresh.childNodes].map((node) => document.adoptNode(node)));
  if (sameTurn) for (const [name, value] of chosen) choose(name, value);
  if (focused !== null) (document.getElementById(focused) ?? document.getElementById("headline"))?.focus({ preventScroll: true });
  const words = document.getElementById("headline")?.textContent;
  if (words !== headline) said.textContent = words;
}

function choose(name, value) {
  const radio = now.querySelector(`input[type="radio"][name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`);
  if (radio) radio.checked = true;
  const select = now.querySelector(`select[name="${CSS.escape(name)}"]`);
  if (select) select.value = value;
}

async function look() {
  try {
    await ask("GET", page.dataset.api);
  } catch (fault) {
    tell(fault);
  }
  const busy = state.clock.runs || ["waiting", "running"].includes(state.photo?.state);
  setTimeout(look, document.hidden ? HIDDEN_MS : busy ? OFTEN_MS : SELDOM_MS);
}

function tell(fault) {
  touch.textContent = fault instanceof Refusal ? `${fault.message} ${fault.hint}` : page.dataset.lost;
  touch.hidden = false;
}

// ------------------------------------------------------------------------------------------------- what people do

addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("[data-happens]")) return;
  event.preventDefault();
  const fields = new FormData(form);
  const body = { ...JSON.parse(event.submitter.value), turn: Number(fields.get("turn")) };
  for (const name of ["driver", "accidents", "stage"]) if (fields.has(name)) body[name] = Number(fields.get(name));
  event.submitter.disabled = true;
  try {
    await ask("POST", `${page.dataset.api}/events`, body);
  } catch (fault) {
    await ask("GET", page.dataset.api).catch(() => null);
    tell(fault);
  }
  event.submitter.disabled = false;
});

addEventListener("change", async (event) => {
  const form = event.target.closest("[data-photo]");
  const file = event.target.files?.[0];
  if (!form || !file || sendingPhoto) return;
  sendingPhoto = true;
  const status = () => now.querySelector("[data-said]");
  status().textContent = page.dataset.sending;
  const body = new FormData();
  body.append("picture", file, file.name);
  event.target.value = "";
  try {
    await ask("POST", `${page.dataset.api}/photos`, body);
    status().textContent = "";
  } catch (fault) {
    status().textContent = fault instanceof Refusal ? `${fault.message} ${fault.hint}` : page.dataset.notSent;
  }
  sendingPhoto = false;
});

for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => tones.touched(), { capture: true });

const sound = document.getElementById("sound");
function showSound() {
  sound.textContent = tones.on ? sound.dataset.on : sound.dataset.off;
  sound.setAttribute("aria-pressed", String(tones.on));
}
sound.hidden = false;
sound.addEventListener("click", () => {
  tones.on = !tones.on;
  showSound();
});
showSound();

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) ask("GET", page.dataset.api).catch(tell);
});
look();
requestAnimationFrame(tick);
