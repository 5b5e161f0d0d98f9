// Waits until the worker has done its step, then shows what comes next.
import { call } from "../api.js";

const card = document.getElementById("waiting");

async function look() {
  try {
    const draft = await call("GET", card.dataset.draft);
    if (draft.step !== card.dataset.step) return location.reload();
  } catch (fault) {
    if (fault.status >= 400) return location.reload();
  }
  setTimeout(look, 700);
}

setTimeout(look, 400);
