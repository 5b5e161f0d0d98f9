// A picture of a clean board is sent as soon as it is chosen or taken.
const form = document.getElementById("drop");
const choose = document.getElementById("choose");
const said = document.getElementById("said");

document.getElementById("send").hidden = true;
for (const id of ["choose", "take"]) {
  const input = document.getElementById(id);
  input.addEventListener("change", () => {
    if (!input.files.length) return;
    send(input.files);
  });
}
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files.length) send(event.dataTransfer.files);
});

function send(files) {
  if (choose.files !== files) {
    const one = new DataTransfer();
    one.items.add(files[0]);
    choose.files = one.files;
  }
  said.textContent = form.dataset.sending;
  form.submit();
}
