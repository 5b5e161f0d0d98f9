// A magnifying glass over a picture: while something is dragged it shows the spot that the finger covers.
import { made, put } from "./svg.js";

const NEAR = 5;

// `frame` holds the picture; `address`, `width` and `height` are the picture's, in the units of the places shown.
export function makeGlass(frame, { address, width, height, label }) {
  const size = 100;
  const image = made("image", { href: address, width, height, preserveAspectRatio: "none" });
  const lines = made("g", { class: "glass-lines" });
  const cross = made("path", { class: "glass-cross", d: `M-${size} 0H-4M4 0H${size}M0 -${size}V-4M0 4V${size}` });
  const moved = made("g", {}, image, lines);
  const glass = made("svg", { class: "glass", viewBox: `-50 -50 ${size} ${size}`, role: "img", "aria-label": label }, moved, cross);
  glass.setAttribute("hidden", "");
  frame.append(glass);

  return {
    lines,
    // Show a place; `pixels` is how many pixels of the screen one unit has now, `event` where the finger is.
    show([x, y], pixels, event) {
      const scale = pixels * NEAR * 0.5;
      put(moved, { transform: `scale(${scale}) translate(${-x} ${-y})` });
      put(lines, { "stroke-width": 1.5 / scale });
      glass.removeAttribute("hidden");
      const box = frame.getBoundingClientRect();
      const isLeft = event ? event.clientX < box.left + box.width / 2 : x < width / 2;
      glass.classList.toggle("right", isLeft);
    },
    hide() {
      glass.setAttribute("hidden", "");
    },
  };
}
