// Sitting down to a challenge: the stages are numbered in the order in which they are tapped.

const form = document.getElementById("choose");
const most = Number(form.dataset.count);
const order = document.getElementById("order");
const words = document.getElementById("chosen");
const boxes = [...form.querySelectorAll('input[name="stage"]')];
let taken = [];

function show() {
  for (const box of boxes) {
    const place = taken.indexOf(box.value);
    box.checked = place >= 0;
    box.closest("label").querySelector(".place").textContent = place < 0 ? "" : String(place + 1);
  }
  order.value = taken.join(",");
  words.textContent = words.dataset.words.replace("{chosen}", taken.length);
}

for (const box of boxes) {
  box.addEventListener("change", () => {
    taken = box.checked ? [...taken.slice(0, most - 1), box.value] : taken.filter((one) => one !== box.value);
    show();
  });
}
if (boxes.length) {
  taken = boxes.filter((box) => box.checked).map((box) => box.value).slice(0, most);
  show();
  form.addEventListener("submit", (event) => {
    if (taken.length === most) return;
    event.preventDefault();
    words.classList.add("missing");
    boxes.find((box) => !box.checked).focus();
  });
}
