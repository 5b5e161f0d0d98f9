// What is said aloud: clips of the package, one call after another; the urgent first, what is stale not at all.

const KEPT = "referee-sound";
const QUIET = 0.012;
const PAD_S = 0.03;
const TICKS = { tick: [[1320, 0, 0.05]], start: [[660, 0, 0.08], [990, 0.09, 0.1]] };

// Which call is said next: pure, its time comes in.
export class CallQueue {
  #waiting = [];

  // In a pipe only what may be said there is taken.
  add(call, now, inPipe = false) {
    if (inPipe && !call.in_pipe) return false;
    this.#waiting.push({ ...call, since: now });
    return true;
  }

  // The most urgent that is not stale, of equals the first; null if there is none.
  next(now) {
    this.#waiting = this.#waiting.filter((call) => now - call.since <= call.keep_ms);
    const best = this.#waiting.reduce((one, other) => (one === null || other.urgency < one.urgency ? other : one), null);
    if (best !== null) this.#waiting.splice(this.#waiting.indexOf(best), 1);
    return best;
  }

  // Whether what waits cuts off what is being said.
  cuts(saying) {
    return saying !== null && saying.urgency > 0 && this.#waiting.some((call) => call.urgency === 0);
  }

  // A pipe begins: what may not be said in it is forgotten.
  hush() {
    this.#waiting = this.#waiting.filter((call) => call.in_pipe);
  }
}

export class Voice {
  #context = null;
  #clips = null;
  #buffer = null;
  #saying = null;
  #playing = [];
  #timer = null;
  queue = new CallQueue();
  soundsUntil = 0; // performance.now() until which the page itself sounds
  said = []; // the names of the clips that were said, in order, for whoever wants to know

  constructor(language) {
    this.language = language;
  }

  get on() {
    return localStorage.getItem(KEPT) !== "off";
  }

  set on(wanted) {
    localStorage.setItem(KEPT, wanted ? "on" : "off");
    if (!wanted) this.#stop();
  }

  get ready() {
    return this.#buffer !== null;
  }

  // Browsers let a page sound after somebody has touched it.
  touched() {
    this.#context ??= window.AudioContext ? new AudioContext() : null;
    if (this.#context?.state === "suspended") this.#context.resume();
    if (this.#context && this.#clips === null) this.#load();
  }

  async #load() {
    this.#clips = {};
    const address = (ending) => new URL(`calls/${this.language}.${ending}`, import.meta.url);
    try {
      const [table, sound] = await Promise.all([fetch(address("json")), fetch(address("mp3"))]);
      this.#clips = await table.json();
      const buffer = await this.#context.decodeAudioData(await sound.arrayBuffer());
      trim(this.#clips, buffer);
      this.#buffer = buffer;
      this.#go();
    } catch {
      this.#clips = null; // tried again at the next touch
    }
  }

  // Say a call; in a pipe only what may be said there. Urgent ones cut off what is being said.
  say(call, { inPipe = false } = {}) {
    if (call.sound && !inPipe) this.#tick(call.sound);
    if (!call.clips.length || !this.queue.add(call, performance.now(), inPipe)) return;
    if (this.queue.cuts(this.#saying)) this.#stop();
    this.#go();
  }

  hush() {
    this.queue.hush();
    if (this.#saying && !this.#saying.in_pipe) this.#stop();
    this.#go();
  }

  #go() {
    if (this.#saying !== null || !this.#buffer) return;
    const call = this.queue.next(performance.now());
    if (call === null) return;
    if (!this.on || this.#context.state !== "running") return void this.#go();
    this.#saying = call;
    let at = this.#context.currentTime + 0.01;
    for (const name of call.clips) {
      const clip = this.#clips[name];
      if (!clip) continue;
      const node = new AudioBufferSourceNode(this.#context, { buffer: this.#buffer });
      node.connect(this.#context.destination);
      node.start(at, clip.at, clip.for);
      this.#playing.push(node);
      at += clip.for + 0.04;
      this.said.push(name);
    }
    const ms = (at - this.#context.currentTime) * 1000;
    this.#sounds(ms);
    this.#timer = setTimeout(() => this.#done(), ms);
  }

  #done() {
    this.#saying = null;
    this.#playing = [];
    this.#go();
  }

  #stop() {
    clearTimeout(this.#timer);
    for (const node of this.#playing) node.stop();
    this.#saying = null;
    this.#playing = [];
  }

  #tick(kind) {
    if (!this.on || this.#context?.state !== "running") return;
    for (const [hertz, after, seconds] of TICKS[kind]) {
      const at = this.#context.currentTime + after;
      const tone = new OscillatorNode(this.#context, { frequency: hertz, type: "triangle" });
      const loud = new GainNode(this.#context, { gain: 0.4 });
      loud.gain.setTargetAtTime(0, at + seconds / 2, seconds / 4);
      tone.connect(loud).connect(this.#context.destination);
      tone.start(at);
      tone.stop(at + seconds + 0.1);
      this.#sounds((after + seconds) * 1000);
    }
    this.said.push(kind);
  }

  #sounds(ms) {
    this.soundsUntil = Math.max(this.soundsUntil, performance.now() + ms);
  }
}

// Decoders put some silence before an MP3: each clip begins where it can be heard.
export function trim(clips, buffer) {
  const samples = buffer.getChannelData(0);
  const rate = buffer.sampleRate;
  for (const clip of Object.values(clips)) {
    let from = Math.max(0, Math.round((clip.at - 0.1) * rate));
    const end = Math.min(samples.length, Math.round((clip.at + clip.for + 0.12) * rate));
    while (from < end && Math.abs(samples[from]) < QUIET) from++;
    let to = end;
    while (to > from && Math.abs(samples[to - 1]) < QUIET) to--;
    clip.at = Math.max(0, from / rate - PAD_S);
    clip.for = (to - from) / rate + 2 * PAD_S;
  }
}
