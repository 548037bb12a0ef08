// A page is complete without this. With it forms say that they are at work, and how far a reading is; times stand on the
// reader's clock, and what is to be copied has a button.
"use strict";

const clock = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short" }); // 2026-03-01 09:05
for (const time of document.querySelectorAll("time[datetime]")) {
  time.title = time.textContent;
  time.textContent = clock.format(new Date(time.dateTime));
}

const spoken = document.getElementById("status");
// A short wait is counted down; what is counted is the first number of the sentence.
for (const wait of document.querySelectorAll("[data-wait]")) {
  const until = Date.now() + 1000 * wait.dataset.wait, sentence = wait.textContent;
  const tick = setInterval(() => {
    const left = Math.ceil((until - Date.now()) / 1000);
    wait.textContent = left > 0 ? sentence.replace(/\d+/, left) : "";
    if (left <= 0) clearInterval(tick);
  }, 1000);
}

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

// --- evidence: the focus goes into the drawer and, when it is closed, back to what asked for it

const drawer = () => document.querySelector(".proofs > li:target");
let asking;
document.addEventListener("click", (event) => { asking = event.target.closest("a.ev") ?? asking; });
addEventListener("hashchange", () => { (drawer()?.querySelector("a") ?? asking)?.focus(); });
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") drawer()?.querySelector("a").click();
});

// The clock of the reader, where a form would take another one to be usual.
const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const field of document.querySelectorAll("input[data-zone]")) {
  if (here && here !== field.dataset.zone) field.value = here;
}

// --- forms at work

const busy = (button) => {
  button.dataset.idle = button.textContent;
  spoken.textContent = button.textContent = button.dataset.busy ?? document.body.dataset.busy;
};

const idle = (button) => {
  button.disabled = false;
  if (button.dataset.idle) button.textContent = button.dataset.idle;
};

document.addEventListener("submit", (event) => {
  const form = event.target, pressed = event.submitter;
  if (form.method !== "post" || !pressed) return;
  busy(pressed);
  if (form.dataset.again && pressed.name === "buy") {
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form, pressed));
    follow(form, form.action, { method: "POST", body }, go, pressed.value);
  }
  // Once the form is on its way: what a button carries goes with it only as long as it can be pressed.
  setTimeout(() => form.querySelectorAll("button").forEach((each) => { each.disabled = true; }));
});

// --- readings: the hub tells how far one is, and at the end where it stands or what was refused
//
// Its number is remembered meanwhile, with the page and the form that it was bought by, also for other tabs. So whoever comes
// back is told the rest, and led to a reading that is not seen yet. To ask again buys nothing twice.

const EVENTS = "text/event-stream";
const SILENCE_S = 45; // The hub gives a sign of life every 15 seconds.
const TRIES = 20, LONGEST_PAUSE_S = 15;
localStorage.removeItem(location.pathname.split("/").pop()); // This is the reading itself.
const followed = new Set();
let leaving = new AbortController();

const pause = (seconds) => new Promise((go) => { setTimeout(go, 1000 * seconds); });

async function* news(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let text = ""; ;) {
      const silence = pause(SILENCE_S).then(() => { throw new Error("silence"); });
      const { value, done } = await Promise.race([reader.read(), silence]);
      if (done) return;
      const lines = (text + value).split("\n");
      text = lines.pop();
      for (const line of lines) if (line.startsWith("data: ")) yield JSON.parse(line.slice(6));
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

const parsed = (html) => new DOMParser().parseFromString(html, "text/html");
const offered = (page) => page.querySelector("form[data-again]");
const ready = (form) => form.querySelectorAll("button").forEach(idle);

// The form as it came back with what was refused, or else the whole page.
const show = (page) => {
  const part = (each) => offered(page) && offered(document) ? offered(each) : each.querySelector("main");
  const shown = part(page);
  document.title = page.title;
  part(document).replaceWith(shown);
  window.htmx?.process?.(shown);
  document.querySelector("[role=alert], #heard .note")?.scrollIntoView({ block: "center" });
};

// In place of what is asked stands how far it is, and the other way round.
const turn = (box, running) => {
  for (const part of box.querySelectorAll(".ask")) part.hidden = running;
  for (const part of box.querySelectorAll(".way")) part.hidden = false;
};

// Asks until there is an end, over however many connections. `found`: what is done when the reading is there.
const follow = async (box, address, options, found, kind, number) => {
  const { signal } = leaving;
  const steps = box.querySelector(".steps") ?? box.appendChild(Object.assign(document.createElement("ol"), { className: "steps" }));
  const began = Date.now(), elapsed = box.querySelector(".elapsed");
  const ticking = setInterval(() => {
    if (elapsed) elapsed.textContent = elapsed.dataset.told.replace("#", Math.round((Date.now() - began) / 1000));
  }, 1000);
  const say = (text) => {
    if (steps.lastChild?.textContent === text) return;
    if (steps.lastChild) steps.lastChild.className = "did";
    const step = steps.appendChild(document.createElement("li"));
    step.className = "doing";
    step.textContent = spoken.textContent = text;
  };
  const end = (act, ...args) => {
    clearInterval(ticking);
    localStorage.removeItem(number);
    if (steps.lastChild) steps.lastChild.className = "did";
    act(...args);
  };
  turn(box, true);
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      const response = await fetch(address, { ...options, headers: { Accept: EVENTS }, signal });
      if (response.redirected) return end(found, response.url, box);
      const streams = response.headers.get("content-type").startsWith(EVENTS);
      if (!streams && response.status < 500) return end(show, parsed(await response.text()));
      if (streams) steps.replaceChildren();
      for await (const told of streams ? news(response) : []) {
        if (told.number) {
          number = told.number;
          followed.add(number);
          localStorage.setItem(number, `${location.pathname} ${kind}`);
        }
        if (told.phase) say(told.phase);
        if (told.place) return end(found, told.place, box);
        // A page without the form is of a hub that has no answer now, such as one that is about to stop.
        const page = parsed(told.page ?? "");
        if (offered(page)) return end(show, page);
      }
    } catch {
      // Whatever broke on the way: the hub knows how it stands.
    }
    if (signal.aborted) return clearInterval(ticking);
    steps.replaceChildren();
    say(box.dataset.again);
    await pause(Math.min(2 ** tries, LONGEST_PAUSE_S));
  }
  clearInterval(ticking);
  steps.replaceChildren();
  say(box.dataset.lost);
  turn(box, false);
  ready(box);
};

const resume = (found) => {
  for (const [number, bought] of Object.entries(localStorage)) {
    const [path, kind] = bought.split(" ");
    const form = path === location.pathname && offered(document);
    if (!form || followed.has(number)) continue;
    followed.add(number);
    form.querySelectorAll("button").forEach((button) => { button.disabled = true; });
    follow(form, `?kind=${kind}&of=${number}`, {}, found, kind, number);
  }
};

const go = (place) => location.assign(place);

// Nobody is led away by what was bought in another tab.
addEventListener("storage", () => resume((_, form) => { turn(form, false); ready(form); }));
addEventListener("pagehide", () => {
  leaving.abort();
  leaving = new AbortController();
  followed.clear();
});

// Whoever comes back finds the forms as they were, and what is under way where it is now.
addEventListener("pageshow", () => {
  document.querySelectorAll("button:disabled").forEach(idle);
  resume(go);
  // A page that is shown while something is under way says where to follow it.
  for (const way of document.querySelectorAll("[data-follow]")) follow(way, way.dataset.follow, {}, go);
});
