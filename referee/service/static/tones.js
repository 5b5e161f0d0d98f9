// 3, 2, 1, Go and the finish as tones that the browser makes itself.

const KEPT = "referee-sound";
const LOW = 440;
const HIGH = 880;

export class Tones {
  #context = null;
  #planned = [];

  // Silence, too, is a choice that stays.
  get on() {
    return localStorage.getItem(KEPT) !== "off";
  }

  set on(wanted) {
    localStorage.setItem(KEPT, wanted ? "on" : "off");
    if (!wanted) this.silence();
  }

  // Browsers let a page sound after somebody has touched it.
  touched() {
    this.#context ??= window.AudioContext ? new AudioContext() : null;
    if (this.#context?.state === "suspended") this.#context.resume();
  }

  // Three low tones and a high one at Go, which is so many milliseconds ahead.
  countDown(ms) {
    this.silence();
    for (const left of [3000, 2000, 1000]) this.#plan(LOW, (ms - left) / 1000, 0.16);
    this.#plan(HIGH, ms / 1000, 0.6);
  }

  finish() {
    this.#plan(HIGH, 0, 0.14);
    this.#plan(HIGH * 1.5, 0.16, 0.4);
  }

  // Take back what was planned.
  silence() {
    for (const tone of this.#planned) tone.stop();
    this.#planned = [];
  }

  #plan(hertz, inSeconds, seconds) {
    if (!this.on || this.#context === null || this.#context.state !== "running" || inSeconds < -0.05) return;
    const at = this.#context.currentTime + Math.max(0, inSeconds);
    const tone = new OscillatorNode(this.#context, { frequency: hertz, type: "triangle" });
    const loudness = new GainNode(this.#context, { gain: 0 });
    loudness.gain.setValueAtTime(0, at);
    loudness.gain.linearRampToValueAtTime(0.5, at + 0.01);
    loudness.gain.setTargetAtTime(0, at + seconds - 0.08, 0.03);
    tone.connect(loudness).connect(this.#context.destination);
    tone.start(at);
    tone.stop(at + seconds);
    this.#planned.push(tone);
  }
}
