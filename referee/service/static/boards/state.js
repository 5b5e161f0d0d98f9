// What is traced: the one state of the editor, its undo, and how it is kept.
//
// Every change goes to the server half a second after the last one, and at once into this browser's own storage, so
// that a lost connection, a reload or a closed tab loses nothing.  A tab names itself with what it sends: what it sent
// before it was loaded anew is no conflict.
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
  if (left && (left.version === version || (left.page === us.page && left.page === draft.seen.kept_by?.page))) {
    now = left.now;
    dirty = true;
  }

  function remember() {
    try {
      localStorage.setItem(shelf, JSON.stringify({ version, page: us.page, now }));
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

  function whole() {
    return { version, tracing: now.tracing, settled: now.settled, kept_by: { page: us.page, turn: nextTurn() } };
  }

  async function send() {
    while (dirty && !lost) {
      dirty = false;
      const sent = JSON.stringify(now);
      try {
        const look = await call("PUT", `${api}/tracing`, whole());
        version = look.version;
        if (JSON.stringify(now) === sent) localStorage.removeItem(shelf);
        else remember();
        onLook(look);
        onKeeping("saved");
      } catch (fault) {
        dirty = true;
        if (fault instanceof Refusal && fault.status === 409) {
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

  // The last words before the page goes.
  addEventListener("pagehide", () => {
    if (!dirty || lost) return;
    fetch(`${api}/tracing`, {
      method: "PUT",
      headers: { "X-Referee": "page", "Content-Type": "application/json" },
      body: JSON.stringify(whole()),
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

// This tab's own name and how often it has sent something: both outlive loading it anew, but no copy of the tab has them.
const us = { page: crypto.getRandomValues(new Uint32Array(3)).join("-"), turn: 0 };
try {
  const { type } = performance.getEntriesByType("navigation")[0] ?? {};
  if (type === "reload" || type === "back_forward") Object.assign(us, JSON.parse(sessionStorage.getItem("us") ?? "{}"));
} catch { /* no storage: then what this tab sent before is another's */ }

function nextTurn() {
  us.turn++;
  try {
    sessionStorage.setItem("us", JSON.stringify(us));
  } catch { /* as above */ }
  return us.turn;
}

function remembered(shelf) {
  try {
    return JSON.parse(localStorage.getItem(shelf));
  } catch {
    return null;
  }
}
