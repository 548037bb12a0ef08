// A page is complete without this. With it forms say that they are at work, times stand on the reader's clock, and what is
// to be copied has a button.
"use strict";

const clock = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short" }); // 2026-03-01 09:05
for (const time of document.querySelectorAll("time[datetime]")) {
  time.title = time.textContent;
  time.textContent = clock.format(new Date(time.dateTime));
}

const spoken = document.getElementById("status");
for (const button of document.querySelectorAll("button[data-copied]")) {
  const shown = button.previousElementSibling;
  button.hidden = !navigator.clipboard; // There is none on http but for this machine.
  button.addEventListener("click", () => {
    // Marked, so that it is there for the keyboard where the browser does not let a page copy.
    shown.select ? shown.select() : getSelection().selectAllChildren(shown);
    navigator.clipboard.writeText(shown.value ?? shown.textContent).then(() => {
      spoken.textContent = button.textContent = button.dataset.copied;
    }, () => {});
  });
}

document.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (event.target.method !== "post" || !button) return;
  button.dataset.idle = button.textContent;
  spoken.textContent = button.textContent = button.dataset.busy ?? document.body.dataset.busy;
  // Once the form is on its way: what a button carries goes with it only as long as it can be pressed.
  setTimeout(() => event.target.querySelectorAll("button").forEach((each) => { each.disabled = true; }));
});

// Whoever comes back finds the form as it was.
addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll("button:disabled")) {
    button.disabled = false;
    if (button.dataset.idle) button.textContent = button.dataset.idle;
  }
});
