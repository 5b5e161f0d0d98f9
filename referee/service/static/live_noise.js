// The microphone's level: the room is learned before the start, and what is clearly above it is told with its time and
// how the level went. No sound is kept or sent.

const CLEARLY_DB = 10;
const LEAST_BLOCKS = 3; // so many twentieths of a second: a click is shorter
const TOGETHER_MS = 600; // two sounds so near are one
const LEARN_MS = 3000;
const KEPT_MS = 20000; // the room is what it was over so long
const BEFORE_MS = 1000;
const AFTER_MS = 800;
export const OWN_TAIL_MS = 400; // what the page itself said sounds on so long

// Tells sounds from the room, by levels and their times alone.
export class Room {
  #levels = []; // of the room: {at, db}
  #recent = []; // all: for the plot
  #loudSince = null;
  #loudBlocks = 0;
  #lastLoud = -Infinity;
  #event = null;
  #since = null;

  // Levels that the page's own sounds may have made say nothing; null for no event yet.
  hear(at, db, { learns, own }) {
    this.#recent.push({ at, db: own ? null : db });
    while (this.#recent[0].at < at - BEFORE_MS - AFTER_MS - 4000) this.#recent.shift();
    if (own) return this.#ends(at);
    if (learns) this.#learn(at, db);
    if (!this.known) return null;
    if (db > this.level + CLEARLY_DB) {
      if (at - this.#lastLoud > TOGETHER_MS) {
        this.#loudSince = at;
        this.#loudBlocks = 0;
      }
      this.#lastLoud = at;
      this.#loudBlocks++;
      if (this.#event === null && this.#loudBlocks >= LEAST_BLOCKS) this.#event = { at: this.#loudSince };
    }
    return this.#ends(at);
  }

  get known() {
    return this.#since !== null && this.#levels.length > 0 && this.#levels.at(-1).at - this.#since >= LEARN_MS;
  }

  // The room's level: nine of ten moments are quieter. Somebody who talks before the start lifts it a little.
  get level() {
    const sorted = this.#levels.map(({ db }) => db).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length * 0.9)];
  }

  forget() {
    this.#event = null;
    this.#loudSince = null;
    this.#lastLoud = -Infinity;
  }

  #learn(at, db) {
    this.#since ??= at;
    this.#levels.push({ at, db });
    while (this.#levels[0].at < at - KEPT_MS) this.#levels.shift();
  }

  // A sound is told when it has been over for a while.
  #ends(at) {
    const event = this.#event;
    if (event === null || at - Math.max(this.#lastLoud, event.at) < AFTER_MS) return null;
    this.#event = null;
    const plot = this.#recent.filter((one) => one.at >= event.at - BEFORE_MS && one.at <= this.#lastLoud + AFTER_MS);
    const levels = plot.map(({ db }) => (db === null ? this.level : db)).slice(0, 200);
    return { at: event.at, room: this.level, peak: Math.max(...levels), levels };
  }
}

// The microphone itself: calls back with every level and its time.
export class Ear {
  #context = null;
  #stream = null;

  async open(now, heard) {
    const quiet = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
    this.#stream = await navigator.mediaDevices.getUserMedia({ audio: quiet });
    this.#context = new AudioContext();
    await this.#context.audioWorklet.addModule(new URL("live_level.js", import.meta.url));
    const level = new AudioWorkletNode(this.#context, "level", { numberOfOutputs: 0 });
    level.port.onmessage = ({ data }) => heard(now(), data);
    this.#context.createMediaStreamSource(this.#stream).connect(level);
  }

  close() {
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#context?.close();
    this.#stream = this.#context = null;
  }

  get isOpen() {
    return this.#stream !== null;
  }
}

