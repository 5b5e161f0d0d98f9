// What is traced: the one state of the editor, its undo, and how it is kept.
//
// Every change goes to the server half a second after the last one, and at once into this browser's own storage, so
// that a lost connection, a reload or a closed tab loses nothing.
import { call, Refusal } from "../api.js";

const MOST_UNDO = 200;
const WAIT_MS = 500;
const AGAIN_MS = 3000;

export function makeState({ draft, api, onChange, onLook, onKeeping }) {
  const shelf = `board-${draft.id}`;
  const { settled = [], ...tracing } = draft.tracing;
  let now = { tracing, settled };
  let version = draft.version;
  let past = [], future = [];
  let dirty = false, busy = null, timer = 0, lost = false;

  const left = remembered(shelf);
  if (left && left.version === version) {
    now = left.now;
    dirty = true;
  }

  function remember() {
    try {
      localStorage.setItem(shelf, JSON.stringify({ version, now }));
    } catch { /* storage is full or forbidden: the server keeps it anyway */ }
  }

  function changed() {
    dirty = true;
    remember();
    onChange();
    onKeeping("saving");
    clearTimeout(timer);
    timer = setTimeout(keep, WAIT_MS);
  }

  // Send what is new; resolves when the server has everything.
  function keep() {
    clearTimeout(timer);
    busy ??= send().finally(() => { busy = null; });
    return busy;
  }

  async function send() {
    while (dirty && !lost) {
      dirty = false;
      const sent = JSON.stringify(now);
      try {
        const look = await call("PUT", `${api}/tracing`, { version, tracing: now.tracing, settled: now.settled });
        version = look.version;
        if (JSON.stringify(now) === sent) localStorage.removeItem(shelf);
        else remember();
        onLook(look);
        onKeeping("saved");
      } catch (fault) {
        dirty = true;
        if (fault instanceof Refusal && fault.status === 409) {
          if (await isOurs()) continue;
          lost = true;
          onKeeping("conflict", fault);
        } else if (fault instanceof Refusal && fault.status < 500) {
          onKeeping("refused", fault);
          return;
        } else {
          onKeeping("offline");
          await new Promise((done) => { setTimeout(done, AGAIN_MS); });
        }
      }
    }
  }

  // Whether what the server has is what this page sent when it was left: then it goes on from there.
  async function isOurs() {
    try {
      const there = await call("GET", api);
      if (there.step !== "tracing" || told(there.tracing) !== told(now.tracing)) return false;
      version = there.version;
      return true;
    } catch {
      return false;
    }
  }

  // The last words before the page goes.
  addEventListener("pagehide", () => {
    if (!dirty || lost) return;
    fetch(`${api}/tracing`, {
      method: "PUT",
      headers: { "X-Referee": "page", "Content-Type": "application/json" },
      body: JSON.stringify({ version, tracing: now.tracing, settled: now.settled }),
      keepalive: true,
    }).catch(() => {});
  });

  return {
    get tracing() { return now.tracing; },
    get elements() { return now.tracing.elements; },
    get settled() { return now.settled; },
    get version() { return version; },
    set version(next) { version = next; },
    get canUndo() { return past.length > 0; },
    get canRedo() { return future.length > 0; },
    get isDirty() { return dirty; },
    keep,
    start() {
      if (dirty) changed();
    },
    // Change the tracing by a function that may alter it as it likes; what was before can be had back.
    change(alter) {
      past.push(JSON.stringify(now));
      if (past.length > MOST_UNDO) past.shift();
      future = [];
      alter(now.tracing, now);
      changed();
    },
    // One long change, such as a drag: `begin` once, then `go` for every step.
    begin() {
      past.push(JSON.stringify(now));
      future = [];
    },
    go(alter) {
      alter(now.tracing, now);
      onChange();
    },
    end() {
      changed();
    },
    undo() {
      if (!past.length) return;
      future.push(JSON.stringify(now));
      now = JSON.parse(past.pop());
      changed();
    },
    redo() {
      if (!future.length) return;
      past.push(JSON.stringify(now));
      now = JSON.parse(future.pop());
      changed();
    },
  };
}

// A tracing in short, to be compared.
function told({ name, number, elements }) {
  return JSON.stringify([name, number, elements.map(({ kind, points, key = "" }) => [kind, key, points.map((at) => at.map((one) => one.toFixed(2)))])]);
}

function remembered(shelf) {
  try {
    return JSON.parse(localStorage.getItem(shelf));
  } catch {
    return null;
  }
}
