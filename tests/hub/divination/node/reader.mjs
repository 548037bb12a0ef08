// The example's reader in node: a run, a connection that is cut on the way, a cancellation, a refusal, the history.
import { Runs } from "../../../../examples/divination/runs.js";

const [base, key] = process.argv.slice(2);
const payload = {
  divinationMethod: "手动起卦", questionType: "事业", question: "我最近换工作是否合适?",
  divinationTimeIso: "2026-04-03T20:30:00+08:00", yaoLines: ["少阳", "少阴", "老阳", "少阴", "少阳", "老阴"],
};
const runs = new Runs(base, key);
const accepted = await runs.submit({ payload });
const whole = [];
for await (const event of runs.events(accepted)) whole.push(event);

// The same once more over connections that break in the middle of an event, at first soon, then later.
const real = globalThis.fetch;
let cuts = 0;
globalThis.fetch = async (...args) => {
  const answer = await real(...args);
  if (!String(args[0]).includes("/events") || answer.status !== 200) return answer;
  const text = (await answer.text()).replace("retry: 2000", "retry: 1");
  const cut = text.slice(0, Math.ceil(text.length * (cuts < 4 ? 0.3 * (cuts + 1) : 1)));
  cuts += cut.length < text.length;
  return new Response(cut, { status: 200 });
};
const pieces = [];
for await (const event of runs.events(accepted)) pieces.push(event);
globalThis.fetch = real;

let problem = null;
try { await runs.cancel(accepted); } catch (error) { problem = { code: error.code, status: error.status }; }
const { messages } = await runs.history({ threadId: accepted.threadId });
const text = whole.filter((event) => event.type === "TEXT_MESSAGE_CONTENT").map((event) => event.delta).join("");
process.stdout.write(JSON.stringify({
  same: JSON.stringify(whole) === JSON.stringify(pieces), cuts, problem, roles: messages.map((message) => message.role),
  derived: whole.find((event) => event.type === "DIVINATION_DERIVED").divination, text,
  end: whole.find((event) => event.type === "TEXT_MESSAGE_END"), last: whole.at(-1).type, price: await runs.price(),
}));
