// A race afterwards: the drive in time, drawn as it was seen.

const SVG = "http://www.w3.org/2000/svg";
const FASTEST = 8;

const WAITS_MS = 2500;

function showAfter(root) {
  for (const figure of root.querySelectorAll("[data-lapse]")) lapse(figure);
}

// Fetch what is told of a race, and again until its picture has been judged, as long as somebody wants it.
export async function fetchAfter(root, address, wanted) {
  const answer = await fetch(address, { cache: "no-store" });
  if (!answer.ok || !wanted()) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").body;
  root.replaceChildren(...[...fresh.childNodes].map((node) => document.adoptNode(node)));
  showAfter(root);
  waits(root, address, wanted);
}

function waits(root, address, wanted) {
  if (root.querySelector("[data-waits]")) setTimeout(() => wanted() && fetchAfter(root, address, wanted), WAITS_MS);
}

function lapse(figure) {
  const points = JSON.parse(figure.dataset.lapse);
  const svg = figure.querySelector("svg");
  const bar = figure.querySelector("[data-bar]");
  const times = points.filter((point) => point !== null).map(([, , at]) => at);
  if (times.length < 2) return;
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const drawn = svg.querySelector("[data-drawn]");
  const tip = document.createElementNS(SVG, "circle");
  tip.setAttribute("r", "3.2");
  tip.setAttribute("class", "tip");
  svg.append(tip);
  const slider = bar.querySelector("input");
  const play = bar.querySelector("button");
  const time = bar.querySelector("output");
  slider.min = 0;
  slider.max = (last - first).toFixed(2);
  slider.step = "any";
  slider.value = slider.max;
  bar.hidden = false;

  function show() {
    const until = first + Number(slider.value);
    drawn.setAttribute("d", drawnUntil(points, until));
    const seen = points.findLast((point) => point !== null && point[2] <= until) ?? points[0];
    tip.setAttribute("cx", seen[0]);
    tip.setAttribute("cy", seen[1]);
    const seconds = Number(slider.value) + Number(figure.dataset.from ?? 0);
    time.textContent = `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(1).padStart(4, "0")}`.replace(".", figure.dataset.decimal);
    for (const mark of figure.querySelectorAll("[data-at]")) mark.classList.toggle("ahead", Number(mark.dataset.at) > until);
  }

  let running = false;
  let before = 0;

  function step(now) {
    if (!running) return;
    const speed = Math.min(FASTEST, Math.max(1, (last - first) / 12));
    slider.value = Math.min(Number(slider.max), Number(slider.value) + ((now - before) / 1000) * speed);
    before = now;
    show();
    if (Number(slider.value) >= Number(slider.max)) stop();
    else requestAnimationFrame(step);
  }

  function stop() {
    running = false;
    play.textContent = play.dataset.play;
  }

  play.addEventListener("click", () => {
    if (running) return stop();
    if (Number(slider.value) >= Number(slider.max)) slider.value = 0;
    running = true;
    play.textContent = play.dataset.pause;
    before = performance.now();
    requestAnimationFrame(step);
  });
  slider.addEventListener("input", () => (stop(), show()));
  show();
}

function drawnUntil(points, until) {
  let path = "";
  let lifted = true;
  for (const point of points) {
    if (point === null || point[2] > until) {
      lifted = true;
      continue;
    }
    path += `${lifted ? "M" : "L"}${point[0]} ${point[1]}`;
    lifted = false;
  }
  return path;
}

const page = document.getElementById("race-after");
if (page) {
  showAfter(page);
  waits(page, page.dataset.address, () => true);
}
