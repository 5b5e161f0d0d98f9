// The live page: frames out, calls in, said aloud and shown; the race from the empty board to its report.
import { call as ask, Refusal, wordsOf } from "./api.js";
import { openCamera, reasonBefore, showReason } from "./camera_reason.js";
import { fetchAfter } from "./live_after.js";
import { Camera, cameras, pause } from "./live_camera.js";
import { Ear, OWN_TAIL_MS, Room } from "./live_noise.js";
import { Voice } from "./live_voice.js";
import { reading, ServerTime, shown } from "./server_time.js";
import { Tones } from "./tones.js";

const page = document.getElementById("live");
const part = (id) => document.getElementById(id);
const words = JSON.parse(page.dataset.words);
const cures = JSON.parse(page.dataset.cures);
const api = page.dataset.api;
const server = new ServerTime();
const tones = new Tones();
const voice = new Voice(document.documentElement.lang);
const camera = new Camera(part("video"));
const ear = new Ear();
const room = new Room();

const POLL_S = 8;
const CHECK_MS = 200;
const UNHEARD_MS = 1200; // without an answer, where asking fails
const SILENT_MS = 4000; // without an answer, where it was asked
const SLOW_MS = 600; // a frame that takes longer is followed badly
const OLD_CALL_MS = 4000; // a page that is opened late tells these, but says them not
const GO_SHOWN_MS = 800;
const OWN = ["frozen", "ended", "unheard", "hidden"]; // what only the page itself can know
const TROUBLES = [...OWN, "lost", "dark", "blurred", "mirrored", "unknown-stage"];
const AGAIN_MS = 6000;
const STEADY_MS = 700; // a board that is away for less is no news

let state = JSON.parse(page.dataset.state);
let heardCalls = 0;
let lastHeard = performance.now();
let unheard = false;
let failing = false; // whether the last frame was not even answered
let filming = false;
let over = false;
let noCamera = false; // whether the browser gives this page none
let blindSince = null; // on the server's clock
let countedFor = null;
const zero = new Map(); // when each team's clock began
const pipes = []; // who was in one, from when until when
const latencies = [];
const figures = { sent: 0, since: performance.now() };

// ------------------------------------------------------------------------------------------------ asking the server

// Keep the clock by an answer that only asks; a frame's answer takes its time in the middle of it.
async function look(wait) {
  const asked = performance.now();
  const told = await ask("GET", `${api}?after=${heardCalls}&number=${state.number}&wait=${wait}`);
  if (wait === 0) server.hear(asked, performance.now(), told.clock);
  return told;
}

async function post(what, body) {
  try {
    take(await ask("POST", `${api}/${what}?after=${heardCalls}`, body));
    tell("");
  } catch (fault) {
    tell(wordsOf(fault, words.unheard));
  }
}

function tell(text) {
  part("told").textContent = text;
  part("told").hidden = !text;
}

// The calls that are new, and all else as it is now.
function take(told) {
  lastHeard = performance.now();
  const again = told.number < state.number && !told.calls.length && told.frames < state.frames;
  if (told.number < state.number || again) return;
  const before = state;
  state = told;
  if (before.race && !state.race) nextRace();
  for (const call of told.calls) if (call.n >= heardCalls) hear(call);
  if (state.go_ms !== countedFor) countDown();
  if (state.race && state.race !== before.race) raceIsOver();
  if (inPipe() && !wasInPipe(before)) voice.hush();
  draw();
}

const wasInPipe = (told) => told.boards.some((board) => board.in_pipe);
const inPipe = () => wasInPipe(state);

async function watchOn() {
  while (!over) {
    try {
      const quick = filming || unheard;
      const told = await look(quick ? 0 : POLL_S);
      unheard = false;
      take(told);
      if (quick) await pause(2500);
    } catch (fault) {
      if (isGone(fault)) return leave();
      await pause(500);
    }
  }
}

const isGone = (fault) => fault instanceof Refusal && fault.code === "no-such-watch";

function leave() {
  over = true;
  camera.close();
  ear.close();
  part("gone").hidden = false;
  part("watching").hidden = true;
}

// ------------------------------------------------------------------------------------------------ frames

async function film() {
  if (filming) return;
  filming = true;
  while (!over && camera.open) {
    const frame = await camera.frame();
    if (frame === null) {
      if (camera.isOver) await fileIsOver();
      continue;
    }
    const at = Math.round(server.now() - (performance.now() - frame.at));
    try {
      const answer = await fetch(`${api}/frames?at_ms=${at}&after=${heardCalls}`, {
        method: "POST",
        headers: { "X-Referee": "page", "Content-Type": "image/jpeg", Accept: "application/json" },
        body: frame.jpeg,
        credentials: "same-origin",
      });
      const told = await answer.json();
      if (!answer.ok) throw new Refusal(answer.status, told.error);
      figures.sent++;
      failing = unheard = false;
      take(told);
    } catch (fault) {
      if (isGone(fault)) return leave();
      if (fault instanceof Refusal) tell(wordsOf(fault, ""));
      else failing = true;
      await pause(250);
    }
  }
  filming = false;
}

// A file has ended: a little later its last frame has been judged.
async function fileIsOver() {
  camera.close();
  if (!state.race && state.boards.some(({ phase }) => phase === "racing" || phase === "finished")) await post("events", { event: "over" });
}

async function start(wanted) {
  part("file-name").textContent = "";
  const stream = await openCamera(Camera.wanted(wanted), part("help").firstElementChild);
  if (stream === null) return;
  try {
    await camera.show(stream);
  } catch (fault) {
    showReason(part("help").firstElementChild, "unknown");
    return;
  }
  lastHeard = performance.now();
  localStorage.setItem("referee-camera", camera.device.deviceId ?? "");
  keepAwake();
  await list();
  film();
}

async function list() {
  const all = await cameras();
  const choice = part("camera");
  choice.replaceChildren(...all.map(({ deviceId, label }, n) => new Option(label || `${choice.dataset.name} ${n + 1}`, deviceId)));
  choice.value = camera.device.deviceId ?? "";
  part("camera-field").hidden = all.length < 2;
  part("turn").hidden = all.length < 2;
}

let lock = null;

async function keepAwake() {
  lock = await navigator.wakeLock?.request("screen").catch(() => null);
}

// ------------------------------------------------------------------------------------------------ what is called

function hear(call) {
  heardCalls = call.n + 1;
  const late = server.now() - call.at_ms;
  if (late < OLD_CALL_MS) {
    voice.say(call, { inPipe: inPipe() || call.kind === "pipe-enter" });
    latencies.push(late);
    page.dataset.latencies = JSON.stringify(latencies.slice(-200).map(Math.round));
  }
  if (call.kind === "pipe-enter") pipes.push({ team: call.team, from: call.at_ms, until: Infinity });
  const pipe = call.kind === "pipe-exit" && pipes.findLast(({ team, until }) => team === call.team && until === Infinity);
  if (pipe) pipe.until = call.at_ms;
  show(call);
}

function show(call) {
  const item = document.createElement("li");
  item.className = `call ${call.kind}${call.certain ? "" : " doubtful"}`;
  const team = state.two && call.team ? `${page.dataset[`team${call.team}`]}: ` : "";
  const clock = document.createElement("span");
  clock.className = "call-time";
  clock.textContent = clockOf(call);
  const text = document.createElement("strong");
  text.textContent = team + (call.again ? page.dataset.again.replace("{words}", call.words) : call.words);
  item.append(clock, text);
  part("calls").prepend(item);
  part("no-calls").hidden = true;
  const lane = laneOf(call.team);
  if (lane) {
    const last = lane.querySelector(".last-call");
    last.textContent = text.textContent;
    last.className = `last-call ${call.kind}`;
  }
}

function clockOf(call) {
  const board = state.boards.find(({ team }) => team === call.team);
  if (!board || board.ms === null) return "";
  if (board.runs) zero.set(call.team, board.at_ms - board.ms);
  const ms = call.at_ms - zero.get(call.team);
  return ms >= 0 ? shown(ms, page.dataset.decimal) : "";
}

// ------------------------------------------------------------------------------------------------ what is shown

function laneOf(team) {
  const key = team ?? "alone";
  let lane = part("lanes").querySelector(`[data-team="${key}"]`);
  if (!lane) {
    lane = part("lane").content.firstElementChild.cloneNode(true);
    lane.dataset.team = key;
    const at = [...part("lanes").children].find((other) => other.dataset.team > key) ?? null;
    part("lanes").insertBefore(lane, at);
  }
  return lane;
}

function draw() {
  for (const board of state.boards) drawLane(laneOf(board.team), board);
  drawSight();
  const phases = state.boards.map(({ phase }) => phase);
  const racing = phases.some((phase) => phase === "racing" || phase === "finished");
  const counts = state.go_ms !== null && !racing && !state.race && server.now() < state.go_ms;
  const ready = phases.length > 0 && !racing && !state.race && !counts && state.go_ms === null;
  part("do-count").hidden = !ready;
  for (const button of document.querySelectorAll("[data-start]")) button.hidden = !ready || page.dataset.tied === "yes";
  part("do-call-off").hidden = !counts;
  part("do-over").hidden = !racing || Boolean(state.race);
  part("do-next").hidden = !state.race;
  page.dataset.phase = state.race ? "over" : racing ? "racing" : ready ? "ready" : "before";
  part("frames").textContent = filming ? (figures.sent / ((performance.now() - figures.since) / 1000)).toFixed(1) : "–";
  part("look").textContent = state.look_ms === null || state.look_ms === undefined ? "–" : `${Math.round(state.look_ms)} ms`;
  part("dropped").textContent = state.dropped;
  part("latency").textContent = latencies.length ? `${Math.round(p95(latencies))} ms (p95)` : "–";
}

function p95(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))];
}

function drawLane(lane, board) {
  const named = state.two && board.team ? page.dataset[`team${board.team}`] : board.stage_words;
  put(lane.querySelector("h2"), named);
  put(lane.querySelector(".lane-stage"), state.two ? board.stage_words : "");
  put(lane.querySelector(".checkpoints"), String(board.checkpoints));
  put(lane.querySelector(".donuts"), String(board.donuts));
  put(lane.querySelector(".accidents"), String(board.accidents));
  lane.classList.toggle("in-pipe", board.in_pipe);
  const key = board.trouble && board.phase !== "closed" ? board.trouble : { racing: "watching" }[board.phase] ?? board.phase;
  const badge = lane.querySelector(".lane-state");
  badge.dataset.state = key;
  put(badge, words[key] ?? key);
  lane.querySelector(".radio").hidden = !board.in_pipe;
}

function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// Where the boards lie in the picture, and the path that is known: drawn by their corners.
function drawSight() {
  const svg = part("overlay");
  const [width, height] = state.size ?? [16, 9];
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const shapes = [];
  for (const board of state.boards) {
    if (!board.corners) continue;
    const corners = board.corners.map(([x, y]) => [x * width, y * height]);
    shapes.push(shape("polygon", { points: joined(corners), class: `outline ${board.trouble ?? "clear"}` }));
    for (const stroke of strokes(board.path)) {
      shapes.push(shape("polyline", { points: joined(stroke.map((point) => placed(point, corners))), class: "drawn" }));
    }
    if (board.tip) {
      const [x, y] = placed(board.tip, corners);
      shapes.push(shape("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 9, class: "tip" }));
    }
  }
  svg.replaceChildren(...shapes);
}

const joined = (points) => points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");

function strokes(path) {
  const parts = [[]];
  for (const point of path ?? []) {
    if (point === null) parts.push([]);
    else parts.at(-1).push(point);
  }
  return parts.filter((points) => points.length > 1);
}

// A place on the board in the picture: the homography of the unit square onto the corners (Heckbert, 1989).
function placed([x, y], [a, b, c, d]) {
  const [u, v] = [x / Number(page.dataset.boardWidth), y / Number(page.dataset.boardHeight)];
  const [sx, sy] = [a[0] - b[0] + c[0] - d[0], a[1] - b[1] + c[1] - d[1]];
  const [dx1, dy1, dx2, dy2] = [b[0] - c[0], b[1] - c[1], d[0] - c[0], d[1] - c[1]];
  const det = dx1 * dy2 - dx2 * dy1 || 1e-9;
  const [g, h] = [(sx * dy2 - dx2 * sy) / det, (dx1 * sy - sx * dy1) / det];
  const w = g * u + h * v + 1;
  const along = (i) => ((b[i] - a[i] + g * b[i]) * u + (d[i] - a[i] + h * d[i]) * v + a[i]) / w;
  return [along(0), along(1)];
}

function shape(kind, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// The clocks and the countdown go on between two answers.
function tick() {
  const now = server.now();
  for (const board of state.boards) {
    const ms = board.ms === null ? 0 : board.runs ? board.ms + Math.max(0, now - board.at_ms) : board.ms;
    put(laneOf(board.team).querySelector(".lane-clock"), shown(ms, page.dataset.decimal));
  }
  const count = part("count");
  const ahead = state.go_ms === null ? -Infinity : state.go_ms - now;
  count.hidden = !(ahead > -GO_SHOWN_MS);
  if (!count.hidden) put(count, ahead > 0 ? String(Math.ceil(ahead / 1000)) : page.dataset.go);
  requestAnimationFrame(tick);
}

function countDown() {
  countedFor = state.go_ms;
  if (state.go_ms === null) return tones.silence();
  const { countdown } = reading({ now_ms: server.now(), runs: true, ms: 0, countdown_ms: state.go_ms - server.now() }, server.now());
  if (countdown > 0) tones.countDown(countdown);
  voice.soundsUntil = Math.max(voice.soundsUntil, performance.now() + countdown + 700);
}

// ------------------------------------------------------------------------------------------------ the one big state

let said = { key: null, at: -Infinity };
let troubleSince = null;
let wasTrouble = null;

function stateNow() {
  if (document.hidden && camera.open) return "hidden";
  const trouble = camera.check();
  if (trouble && !state.race) return trouble;
  if (camera.open && state.state === "opening" && !failing) return "waking";
  const silent = performance.now() - lastHeard;
  if (camera.open && silent > (failing ? UNHEARD_MS : SILENT_MS)) return "unheard";
  if (camera.open && state.look_ms > SLOW_MS && !state.race) return "slow";
  if (!camera.open && state.state !== "waking" && !state.race && page.dataset.source === "browser" && !othersFilm()) return "opening";
  return state.race ? "closed" : state.go_ms !== null && server.now() < state.go_ms ? "armed" : state.state;
}

const othersFilm = () => state.frames > 0 && server.now() - state.heard_ms < 3000;

function check() {
  const key = stateNow();
  const banner = part("state");
  if (banner.dataset.state !== key) {
    banner.dataset.state = key;
    banner.classList.toggle("bad", TROUBLES.includes(key));
    put(part("state-name"), words[key] ?? key);
    put(part("state-cure"), cures[key] ?? "");
  }
  page.classList.toggle("blind", TROUBLES.includes(key));
  part("start").hidden = noCamera || (camera.open && !camera.trouble);
  isBlind(key);
  sayState(key);
  if (!over) setTimeout(check, CHECK_MS);
}

// What is wrong is said once, and again after a while; that it is over is said, too.
function sayState(key) {
  const bad = TROUBLES.includes(key) && camera.open;
  const now = performance.now();
  if (!bad) {
    if (wasTrouble) cue("seen-again");
    wasTrouble = troubleSince = null;
    return;
  }
  troubleSince ??= now;
  const own = OWN.includes(key);
  if (!own && (now - troubleSince < STEADY_MS || !state.boards.length)) return;
  if (said.key === key && now - said.at < AGAIN_MS && wasTrouble) return;
  said = { key, at: now };
  wasTrouble = key;
  cue(key);
}

function cue(name) {
  if (!JSON.parse(page.dataset.cues).includes(name)) return;
  voice.say({ clips: [name], sound: "", urgency: 1, keep_ms: 6000, in_pipe: true });
}

// What the page could not see is told as soon as it sees again.
function isBlind(key) {
  const blind = OWN.includes(key) && (camera.open || camera.trouble === "ended");
  if (blind) blindSince ??= Math.round(server.now());
  else if (blindSince !== null) tellBlind();
}

function tellBlind() {
  const from_ms = Math.round(blindSince);
  blindSince = null;
  return post("blind", { from_ms, to_ms: Math.max(from_ms, Math.round(server.now())) });
}

// ------------------------------------------------------------------------------------------------ the microphone

async function listen() {
  const button = part("mic");
  if (ear.isOpen) {
    ear.close();
    button.textContent = button.dataset.off;
    part("mic-state").textContent = "";
    part("level").hidden = true;
    return;
  }
  try {
    await ear.open(() => server.now(), level);
  } catch {
    part("mic-state").textContent = part("mic-state").dataset.denied;
    return;
  }
  button.textContent = button.dataset.on;
  part("level").hidden = false;
}

function level(at, db) {
  const own = performance.now() < voice.soundsUntil + OWN_TAIL_MS;
  const racing = state.boards.some(({ phase }) => phase === "racing");
  const noise = room.hear(at, db, { learns: !racing && !state.race, own });
  part("level").value = Math.max(0, Math.min(1, (db + 70) / 70));
  put(part("mic-state"), room.known ? part("mic-state").dataset.ready : part("mic-state").dataset.learning);
  if (!noise || !racing) return;
  const pipe = pipes.find(({ from, until }) => noise.at >= from && noise.at <= until);
  if (pipe || page.dataset.silent === "yes") tellNoise(noise, pipe);
}

function tellNoise({ at, room: quiet, peak, levels }, pipe) {
  const round = (value) => Math.round(value * 10) / 10;
  post("noises", {
    at_ms: Math.round(at),
    team: pipe?.team ?? null,
    in_pipe: pipe !== undefined,
    room_db: round(quiet),
    peak_db: round(peak),
    levels: levels.map(round),
  });
}

// ------------------------------------------------------------------------------------------------ a race is over

async function raceIsOver() {
  tones.silence();
  const { race } = state;
  await fetchAfter(part("after"), `${page.dataset.races}${race}/after`, () => state.race === race);
  const verdicts = [...part("after").querySelectorAll("[data-verdict]")];
  for (const board of verdicts) {
    const team = state.two && board.dataset.team ? [`team-${board.dataset.team.toLowerCase()}`] : [];
    voice.say({ clips: [...team, board.dataset.verdict], sound: "", urgency: 2, keep_ms: 8000, in_pipe: true });
  }
}

function nextRace() {
  heardCalls = 0;
  countedFor = null;
  part("calls").replaceChildren();
  part("no-calls").hidden = false;
  part("lanes").replaceChildren();
  part("after").replaceChildren();
  pipes.length = 0;
  room.forget();
}

// ------------------------------------------------------------------------------------------------ what people do

for (const kind of ["pointerdown", "keydown"]) {
  addEventListener(kind, () => (voice.touched(), tones.touched()), { capture: true });
}

part("start").addEventListener("click", () => start({ device: localStorage.getItem("referee-camera") || null }).catch(tellFault));
part("camera").addEventListener("change", (event) => start({ device: event.target.value }).catch(tellFault));
part("turn").addEventListener("click", () => {
  const facing = camera.device.facingMode === "environment" ? "user" : "environment";
  const options = [...part("camera").options].map(({ value }) => value);
  const next = options[(options.indexOf(camera.device.deviceId) + 1) % options.length];
  start(camera.device.facingMode ? { facing } : { device: next }).catch(tellFault);
});
part("file").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  if (!file) return;
  showReason(part("help").firstElementChild, null);
  try {
    await camera.play(file);
    part("file-name").textContent = file.name;
    film();
  } catch {
    showReason(part("help").firstElementChild, "unknown");
  }
});
part("mic").addEventListener("click", listen);
part("sound").addEventListener("click", () => {
  voice.on = tones.on = !voice.on;
  showSound();
});
for (const [id, event] of [["do-count", "count-down"], ["do-call-off", "call-off"], ["do-over", "over"], ["do-next", "next"]]) {
  part(id).addEventListener("click", async () => {
    if (event === "over" && blindSince !== null) await tellBlind();
    await post("events", { event });
  });
}
for (const button of document.querySelectorAll("[data-start]")) {
  button.addEventListener("click", () => post("events", { event: "start", team: button.dataset.start || null }));
}

function tellFault(fault) {
  tell(wordsOf(fault, words.unheard));
}

function showSound() {
  const button = part("sound");
  button.textContent = voice.on ? button.dataset.on : button.dataset.off;
  button.setAttribute("aria-pressed", String(voice.on));
}

// A page that is closed says so: its watch ends a few seconds later, unless it was only loaded anew.
addEventListener("pagehide", () => {
  fetch(`${api}/events`, {
    method: "POST",
    keepalive: true,
    headers: { "X-Referee": "page", "Content-Type": "application/json" },
    body: JSON.stringify({ event: "leave" }),
  }).catch(() => null);
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && camera.open) keepAwake();
});

async function preview() {
  if (page.dataset.source !== "server") return;
  const image = part("preview");
  while (!over) {
    await new Promise((done) => {
      image.onload = image.onerror = done;
      image.src = `${api}/picture?${state.number}`;
    });
    image.hidden = !image.naturalWidth;
    await pause(400);
  }
}

async function begin() {
  showSound();
  part("sound").hidden = false;
  heardCalls = 0;
  const before = reasonBefore();
  if (before && page.dataset.source === "browser") showReason(part("help").firstElementChild, before);
  noCamera = before !== null;
  part("mic").hidden = noCamera;
  for (let times = 0; times < 3; times++) take(await look(0));
  if (state.race) raceIsOver();
  draw();
  tick();
  check();
  preview();
  watchOn();
}

page.referee = { voice, camera, room, latencies }; // for whoever looks into the page
begin().catch((fault) => (isGone(fault) ? leave() : tellFault(fault)));
