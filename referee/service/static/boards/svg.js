// Making and changing SVG elements.

const SVG = "http://www.w3.org/2000/svg";

export function made(name, attributes = {}, ...inside) {
  const element = document.createElementNS(SVG, name);
  put(element, attributes);
  element.append(...inside);
  return element;
}

export function put(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
}

export function path(points, closed = false) {
  if (!points.length) return "";
  return `M${points.map(([x, y]) => `${x} ${y}`).join("L")}${closed ? "Z" : ""}`;
}

// A place of a pointer in an SVG's own units.
export function placeIn(svg, event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [at.x, at.y];
}

// How many of an SVG's units one pixel of the screen is.
export function unitsPerPixel(svg) {
  const matrix = svg.getScreenCTM();
  return matrix ? 1 / Math.hypot(matrix.a, matrix.b) : 1;
}
