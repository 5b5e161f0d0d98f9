// The verdict page: waits for the verdict, lets one look closely, drives the path again.
import { makeViewer, makeCloseups } from "./viewer.js";
import { makeReplay } from "./replay.js";

const LOOK_MS = 800;
const progress = document.getElementById("progress");
const sheets = document.querySelector(".sheets");

if (progress) wait();
if (sheets) enliven();

async function wait() {
  for (;;) {
    await new Promise((done) => setTimeout(done, LOOK_MS));
    try {
      const answer = await fetch(progress.dataset.check, { cache: "no-store" });
      if (answer.status === 404) break; // deleted: the page itself says so
      const check = await answer.json();
      progress.querySelector("progress").value = check.progress;
      if (check.error || check.state === "judged" || check.state === "failed") break;
    } catch {
      // The server is away for a moment.
    }
  }
  location.reload();
}

async function enliven() {
  const words = sheets.dataset;
  makeCloseups(sheets, words);
  const boards = [...sheets.querySelectorAll("svg.board:not(.small)")];
  const viewers = new Map(boards.map((board) => [board.closest(".sheet").id, makeViewer(board, words)]));
  const check = await (await fetch(words.reports, { cache: "no-store" })).json();
  for (const { number, report } of check.boards) {
    const viewer = viewers.get(`board-${number}`);
    if (viewer) makeReplay(viewer, await (await fetch(report)).json(), words);
  }
}

const print = document.getElementById("print");
if (print) {
  print.hidden = false;
  print.addEventListener("click", () => window.print());
}
