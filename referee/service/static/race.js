// A race's page, on the table and on a phone: both teams' clocks, what is to do now, and the photos.
import { call, wordsOf } from "./api.js";
import { giveSound, HIDDEN_MS, OFTEN_MS, put, sendPhoto, showCount, whenPressed } from "./at_the_table.js";
import { renew } from "./renew.js";
import { reading, ServerTime, shown } from "./server_time.js";
import { Tones } from "./tones.js";

const SELDOM_MS = 1500;
const BIG = "A"; // both clocks start together: until somebody has crossed, one tells for both

const page = document.getElementById("race");
const count = document.getElementById("count");
const now = document.getElementById("now");
const touch = document.getElementById("touch");
const said = document.getElementById("said");
const server = new ServerTime();
const tones = new Tones();
let state = JSON.parse(page.dataset.state);
let heard = false; // whether the server's time is known

// ------------------------------------------------------------------------------------------------------ the clocks

function tick() {
  if (heard) show();
  requestAnimationFrame(tick);
}

function show() {
  const moment = server.now();
  for (const part of page.querySelectorAll("[data-clock]")) {
    const clock = state.clocks[part.dataset.clock];
    if (clock) put(part, "textContent", shown(reading(clock, moment).ms, page.dataset.decimal));
  }
  const clock = state.clocks[BIG];
  const racing = ["counting", "driving"].includes(state.phase);
  if (!clock || !racing) {
    put(count, "hidden", true);
    return;
  }
  phase(showCount(count, clock, moment, page.dataset.go) ? "counting" : "driving");
}

function phase(name) {
  if (page.dataset.phase !== name) page.dataset.phase = name;
}

// ----------------------------------------------------------------------------------------- what the server tells

// Ask, and keep the clocks by the answer; one that others have overtaken says nothing new.
async function ask(method, address, body) {
  const asked = performance.now();
  const told = await call(method, address, body);
  const clocks = told.clock ?? told;
  server.hear(asked, performance.now(), clocks);
  if (clocks.version >= state.version) await take(clocks);
  touch.hidden = true;
}

async function take(told) {
  const before = state;
  state = told;
  heard = true;
  const ahead = told.clocks[BIG]?.countdown_ms ?? 0;
  if (ahead > 0 && !(before.clocks[BIG]?.countdown_ms > 0)) {
    tones.countDown(reading(told.clocks[BIG], server.now()).countdown);
    scrollTo({ top: 0 });
  }
  if (ahead === 0 && told.phase !== "driving") tones.silence();
  if (before.phase === "driving" && told.phase === "crossed") tones.finish();
  if (told.phase !== "counting" && told.phase !== "driving") phase(told.phase);
  if (told.look !== now.firstElementChild?.dataset.look) await fetchStand();
}

let fetching = 0;

async function fetchStand() {
  const turn = ++fetching;
  const answer = await fetch(page.dataset.now, { cache: "no-store" });
  const text = await answer.text();
  if (!answer.ok || turn !== fetching) return;
  const place = () => `${now.firstElementChild?.dataset.heat} ${now.firstElementChild?.className}`;
  const [headline, at] = [document.getElementById("headline")?.textContent, place()];
  const fresh = new DOMParser().parseFromString(text, "text/html").body.firstElementChild;
  renew(now, text, `${fresh?.dataset.heat} ${fresh?.className}` === at);
  const words = document.getElementById("headline")?.textContent;
  if (words !== headline) said.textContent = words;
}

async function look() {
  try {
    await ask("GET", `${page.dataset.api}/clock`);
  } catch (fault) {
    tell(fault);
  }
  const racing = ["counting", "driving", "boards", "crossed"].includes(state.phase);
  setTimeout(look, document.hidden ? HIDDEN_MS : racing ? OFTEN_MS : SELDOM_MS);
}

function tell(fault) {
  touch.textContent = wordsOf(fault, page.dataset.lost);
  touch.hidden = false;
}

// ------------------------------------------------------------------------------------------------- what people do

whenPressed(
  { place: "heat", numbers: ["stage", "a", "b", "accidents"], texts: ["car"] },
  {
    say: (body) => ask("POST", `${page.dataset.api}/events`, body),
    look: () => ask("GET", `${page.dataset.api}/clock`),
    tell,
  },
);

addEventListener("change", async (event) => {
  const form = event.target.closest("[data-photo]");
  const file = event.target.files?.[0];
  if (!form || !file) return;
  if (file.size > page.dataset.most * 1e6) {
    now.querySelector("[data-said]").textContent = page.dataset.tooLarge;
    return;
  }
  const body = new FormData();
  body.append("picture", file, file.name);
  body.append("heat", form.elements.heat.value);
  event.target.value = "";
  const address = `/api${new URL(form.action).pathname}`; // the form's own address is the call's with /api before it
  await sendPhoto(page, now, () => ask("POST", address, body));
});

giveSound(tones);

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) ask("GET", `${page.dataset.api}/clock`).catch(tell);
});
look();
requestAnimationFrame(tick);
