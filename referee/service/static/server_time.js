// The server's clock as seen from here, and the one big clock that hangs on it.  Time passes by performance.now() only:
// a calendar clock that jumps changes nothing.

const DRIFT = 0.001; // how much a browser's and a machine's clock may drift apart, at most
const NARROW_MS = 2;

// An answer tells the server's time at some moment between asking and hearing: half way, give or take half the way.
export class ServerTime {
  #boot = null;
  #offset = 0;
  #slack = Infinity;
  #heard = 0;

  constructor(local = () => performance.now()) {
    this.local = local;
  }

  // An answer that was asked for and heard at these local times says what the server's clock showed.
  hear(asked, heard, { boot, now_ms: shown }) {
    const offset = shown - (asked + heard) / 2;
    const slack = (heard - asked) / 2;
    const known = this.#slack + (heard - this.#heard) * DRIFT;
    const fits = this.#boot === boot && Math.abs(offset - this.#offset) <= slack + known + NARROW_MS;
    if (fits && slack > known) return; // what was known is more exact
    this.#boot = boot;
    this.#offset = offset;
    this.#slack = slack;
    this.#heard = heard;
  }

  now() {
    return this.local() + this.#offset;
  }
}

// What the big clock shows at a moment of the server's, and how long until it counts: a clock as the API tells it.
export function reading(clock, now) {
  const since = now - clock.now_ms;
  if (!clock.runs) return { ms: clock.ms, countdown: 0 };
  return { ms: clock.ms + Math.max(0, since - clock.countdown_ms), countdown: Math.max(0, clock.countdown_ms - since) };
}

// Cut, not rounded: what is shown as the target has reached it.
export function shown(ms, decimal = ".") {
  const tenths = Math.floor(ms / 100);
  const seconds = String(Math.floor(tenths / 10) % 60).padStart(2, "0");
  return `${Math.floor(tenths / 600)}:${seconds}${decimal}${tenths % 10}`;
}
