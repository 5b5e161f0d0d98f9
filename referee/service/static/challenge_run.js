// A run's page, on the table and on the phone: the big clock, what is to do now, and the photos.
import { call, wordsOf } from "./api.js";
import { giveSound, HIDDEN_MS, OFTEN_MS, put, sendPhoto, showCount, whenPressed } from "./at_the_table.js";
import { reading, ServerTime, shown } from "./server_time.js";
import { Tones } from "./tones.js";

const SELDOM_MS = 1000;

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
  const moment = server.now();
  if (heard) show(reading(state.clock, moment), moment);
  requestAnimationFrame(tick);
}

function show({ ms }, moment) {
  put(time, "textContent", shown(ms, page.dataset.decimal));
  put(used, "value", Math.min(ms, used.max));
  if (!state.clock.runs) {
    put(count, "hidden", true);
    return;
  }
  const phase = showCount(count, state.clock, moment, page.dataset.go) ? "counting" : "driving";
  if (page.dataset.phase !== phase) begin(phase);
  const slow = now.querySelector('[data-when="slow"]');
  if (slow) put(slow, "hidden", ms < state.target_ms);
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
  touch.textContent = wordsOf(fault, page.dataset.lost);
  touch.hidden = false;
}

// ------------------------------------------------------------------------------------------------- what people do

whenPressed(
  { place: "turn", numbers: ["driver", "accidents", "stage"] },
  { say: (body) => ask("POST", `${page.dataset.api}/events`, body), look: () => ask("GET", page.dataset.api), tell },
);

addEventListener("change", async (event) => {
  const form = event.target.closest("[data-photo]");
  const file = event.target.files?.[0];
  if (!form || !file || sendingPhoto) return;
  sendingPhoto = true;
  const body = new FormData();
  body.append("picture", file, file.name);
  event.target.value = "";
  await sendPhoto(page, now, () => ask("POST", `${page.dataset.api}/photos`, body));
  sendingPhoto = false;
});

giveSound(tones);

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) ask("GET", page.dataset.api).catch(tell);
});
look();
requestAnimationFrame(tick);
