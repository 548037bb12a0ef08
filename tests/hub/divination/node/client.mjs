// One run of a stock AG-UI client. Prints what it saw: node client.mjs <package> <base url> <key> <case> <thread> <run>
const [name, base, key, kind, threadId, runId] = process.argv.slice(2);
const { HttpAgent } = await import(name);

const warnings = [];
for (const level of ["warn", "error"]) console[level] = (...words) => warnings.push(words.map(String).join(" ").slice(0, 300));

const payload = {
  divinationMethod: "手动起卦", questionType: "事业", question: "我最近换工作是否合适?",
  divinationTimeIso: "2026-04-03T20:30:00+08:00",
  yaoLines: ["少阳", "少阴", "老阳", "少阴", "少阳", "老阴"],
};
const message = { id: "m1", role: "user", content: payload.question };
const forwardedProps = { runtime_mode: "chat", divinationPayload: payload };
const headers = { "x-api-key": key, "content-type": "application/json" };

// The native profile has its own route: what a front end of the original would read.
class SeedAgent extends HttpAgent {
  requestInit() {
    return { method: "GET", headers: { ...headers, Accept: "text/event-stream" }, signal: this.abortController.signal };
  }
}

let agent;
if (kind === "seed") {
  const body = { threadId, runId, state: {}, messages: [message], tools: [], context: [], forwardedProps };
  const accepted = await fetch(`${base}/api/v1/agent/runs`, { method: "POST", headers, body: JSON.stringify(body) });
  agent = new SeedAgent({ url: base + (await accepted.json()).eventsUrl, threadId });
} else {
  agent = new HttpAgent({ url: `${base}/api/v1/agent/agui`, headers, threadId });
}
agent.messages = [message];

const seen = { types: [], custom: null, finished: null, error: null, failed: null, end: null, thrown: null };
let result = null;
try {
  result = await agent.runAgent({ runId, tools: [], context: [], forwardedProps }, {
    onEvent: ({ event }) => {
      seen.types.push(event.type);
      if (event.type === "TEXT_MESSAGE_END") seen.end = event;
      if (kind === "cancel" && event.type === "STATE_SNAPSHOT") {
        fetch(`${base}/api/v1/agent/runs/${threadId}?runId=${runId}`, { method: "DELETE", headers });
      }
    },
    onCustomEvent: ({ event }) => { seen.custom = event; },
    onRunFinishedEvent: ({ event }) => { seen.finished = event; },
    onRunErrorEvent: ({ event }) => { seen.error = event; },
    onRunFailed: ({ error }) => { seen.failed = String(error).slice(0, 300); },
  });
} catch (error) {
  seen.thrown = { message: String(error).slice(0, 500), status: error.status ?? null, payload: error.payload ?? null };
}
const last = agent.messages.at(-1);
process.stdout.write(JSON.stringify({ ...seen, warnings, result, state: agent.state, last }));
