// Put a fresh part of a page in place of the old one; what somebody has chosen, typed or was at stays.

// ``keep`` tells whether choices of before still belong to what is shown now.
export function renew(part, text, keep) {
  const fresh = new DOMParser().parseFromString(text, "text/html").body;
  const kept = keep ? [...part.querySelectorAll("input, select")].filter(isTouched).map(written) : [];
  const open = [...part.querySelectorAll("details[open] > summary")].map((summary) => summary.textContent);
  const focused = part.contains(document.activeElement) ? document.activeElement.id : null;
  part.replaceChildren(...[...fresh.childNodes].map((node) => document.adoptNode(node)));
  for (const { name, value, kind } of kept) write(part, name, value, kind);
  if (keep) for (const summary of part.querySelectorAll("summary")) summary.parentElement.open ||= open.includes(summary.textContent);
  if (focused !== null) focus(document.getElementById(focused) ?? document.getElementById("headline"));
}

function focus(element) {
  element?.focus({ preventScroll: true });
}

function isTouched(field) {
  if (field.type === "radio") return field.checked;
  return field.matches("select") || field.type === "text";
}

function written(field) {
  return { name: field.name, value: field.value, kind: field.type };
}

function write(part, name, value, kind) {
  const fields = [...part.querySelectorAll(`[name="${CSS.escape(name)}"]`)];
  const field = kind === "radio" ? fields.find((one) => one.value === value) : fields.find((one) => one.type === kind);
  if (kind === "radio" && field) field.checked = true;
  else if (field) field.value = value;
}
