// The page: the board comes from DIVINATION_DERIVED, the text from TEXT_MESSAGE_*, the rest from TEXT_MESSAGE_END.
import { Runs } from "./runs.js";

const at = (id) => document.getElementById(id);
const form = at("form");
const LINES = ["少阳", "少阴", "老阳", "老阴"];
const START = ["少阳", "少阴", "老阳", "少阴", "少阳", "老阴"];
let current = null;

at("lines").append(...START.map((chosen, place) => {
  const select = document.createElement("select");
  select.name = "line";
  select.setAttribute("aria-label", `第 ${place + 1} 爻`);
  select.append(...LINES.map((name) => new Option(name, name, false, name === chosen)));
  return select;
}));

function client() {
  return new Runs(form.base.value, form.key.value);
}

function localTime() {
  const now = new Date();
  const offset = -now.getTimezoneOffset();
  const two = (number) => String(Math.trunc(Math.abs(number))).padStart(2, "0");
  const wall = new Date(now.getTime() + offset * 60_000).toISOString().slice(0, 19);
  return `${wall}${offset < 0 ? "-" : "+"}${two(offset / 60)}:${two(offset % 60)}`;
}

const show = {
  DIVINATION_DERIVED: ({ divination }) => { at("gua").textContent = `${divination.guaName} → ${divination.targetGuaName}`; },
  TEXT_MESSAGE_CONTENT: ({ delta }) => { at("answer").textContent += delta; },
  TEXT_MESSAGE_END: (end) => {
    at("sign").textContent = end.sign_level ?? "";
    at("points").replaceChildren(...[...end.conclusion, ...end.focus_points, ...end.advice].map((text) => {
      const item = document.createElement("li");
      item.textContent = text;
      return item;
    }));
  },
  RUN_ERROR: ({ code, message }) => { at("problem").textContent = `${code}: ${message}`; },
  RUN_FINISHED: ({ outcome }) => { if (outcome.type === "cancelled") at("problem").textContent = "已取消"; },
};

async function guarded(work) {
  at("problem").textContent = "";
  try {
    await work();
  } catch (error) {
    at("problem").textContent = `${error.code ?? error.name}: ${error.message}`;
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  guarded(async () => {
    for (const id of ["gua", "sign", "answer"]) at(id).textContent = "";
    at("points").replaceChildren();
    const runs = client();
    current = await runs.submit({ language: document.documentElement.lang, payload: {
      divinationMethod: "手动起卦",
      questionType: form.kind.value,
      question: form.question.value,
      divinationTimeIso: localTime(),
      yaoLines: [...form.querySelectorAll("[name=line]")].map((select) => select.value),
    } });
    at("cancel").disabled = false;
    try {
      for await (const one of runs.events(current)) show[one.type]?.(one);
    } finally {
      at("cancel").disabled = true;
    }
    const { credit_cost, available } = await runs.price();
    at("price").textContent = `每次 ${credit_cost}，可用 ${available}`;
  });
});

at("cancel").addEventListener("click", () => guarded(() => client().cancel(current)));
at("history").addEventListener("click", () => guarded(async () => {
  const { messages } = await client().history({ limit: 20 });
  at("points").replaceChildren(...messages.map((message) => {
    const item = document.createElement("li");
    item.textContent = `${message.timestamp}  ${message.role === "user" ? "问" : message.agent_output.sign_level ?? message.agent_output.status}  ${message.content.slice(0, 60)}`;
    return item;
  }));
}));
