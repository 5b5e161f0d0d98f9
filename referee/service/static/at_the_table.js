// What the pages of a run and of a race have in common: 3, 2, 1, Go, the sound's button, and what people send.
import { wordsOf } from "./api.js";
import { reading } from "./server_time.js";

export const OFTEN_MS = 500;
export const HIDDEN_MS = 3000;
const GO_SHOWN_MS = 800;

export function put(part, name, value) {
  if (part[name] !== value) part[name] = value;
}

// The countdown of a clock that runs, and Go for a moment after it; tells whether it still counts down.
export function showCount(part, clock, moment, go) {
  const { countdown } = reading(clock, moment);
  const since = moment - clock.now_ms - clock.countdown_ms;
  const justGone = countdown === 0 && clock.countdown_ms > 0 && since < GO_SHOWN_MS;
  put(part, "hidden", countdown === 0 && !justGone);
  put(part, "textContent", countdown > 0 ? String(Math.ceil(countdown / 1000)) : go);
  return countdown > 0;
}

// Say what a pressed button stands for, with what its form holds: whole ``numbers``, ``texts``, and at which ``place``
// somebody looked and pressed.  What is refused is told, after a look at what it is at now.
export function whenPressed({ place, numbers, texts = [] }, { say, look, tell }) {
  addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("[data-happens]")) return;
    event.preventDefault();
    const fields = new FormData(form);
    const body = { ...JSON.parse(event.submitter.value), [place]: Number(fields.get(place)) };
    for (const name of numbers) if (fields.has(name)) body[name] = Number(fields.get(name));
    for (const name of texts) if (fields.has(name)) body[name] = fields.get(name);
    event.submitter.disabled = true;
    try {
      await say(body);
    } catch (fault) {
      await look().catch(() => null);
      tell(fault);
    }
    event.submitter.disabled = false;
  });
}

// Send a photo, and say beside its button how that goes; the part may be renewed meanwhile.
export async function sendPhoto(page, now, send) {
  const status = () => now.querySelector("[data-said]");
  status().textContent = page.dataset.sending;
  try {
    await send();
    status().textContent = "";
  } catch (fault) {
    status().textContent = wordsOf(fault, page.dataset.notSent);
  }
}

// The button that turns the tones on and off; a browser lets them sound once somebody has touched the page.
export function giveSound(tones) {
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => tones.touched(), { capture: true });
  const button = document.getElementById("sound");
  function show() {
    button.textContent = tones.on ? button.dataset.on : button.dataset.off;
    button.setAttribute("aria-pressed", String(tones.on));
  }
  button.hidden = false;
  button.addEventListener("click", () => {
    tones.on = !tones.on;
    show();
  });
  show();
}
