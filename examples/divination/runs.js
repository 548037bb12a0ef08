// A reader of divination runs for the browser and for node ≥ 18: submit, follow with resume, cancel, history. No dependencies.

export class RunProblem extends Error {
  constructor(problem) {
    super(problem.detail);
    Object.assign(this, problem);
  }
}

export class Runs {
  constructor(base, key) {
    this.base = base.replace(/\/$/, "");
    this.headers = { "x-api-key": key };
  }

  async #asked(method, path, body) {
    const headers = body === undefined ? this.headers : { ...this.headers, "content-type": "application/json" };
    const answer = await fetch(this.base + path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    const said = await answer.json();
    if (!answer.ok) throw new RunProblem(said);
    return said;
  }

  /** Submits a cast, or with `payload` left out a follow-up in the same thread. */
  submit({ threadId = crypto.randomUUID(), runId = `run_${crypto.randomUUID()}`, payload, said, language }) {
    const forwardedProps = { runtime_mode: "chat" };
    if (payload) forwardedProps.divinationPayload = payload;
    if (language) forwardedProps.ai_language = language;
    const messages = [{ id: `msg_${runId}`, role: "user", content: said ?? payload.question }];
    return this.#asked("POST", "/api/v1/agent/runs", { threadId, runId, state: {}, messages, tools: [], context: [], forwardedProps });
  }

  status({ threadId, runId }) {
    return this.#asked("GET", `/api/v1/agent/runs/${threadId}?runId=${runId}`);
  }

  cancel({ threadId, runId }) {
    return this.#asked("DELETE", `/api/v1/agent/runs/${threadId}?runId=${runId}`);
  }

  history(query = {}) {
    return this.#asked("GET", `/api/v1/agent/history?${new URLSearchParams(query)}`);
  }

  price() {
    return this.#asked("GET", "/api/v1/divination/price");
  }

  /** Every event of the newest attempt, across dropped connections: each resumes behind the last id that was seen. */
  async *events({ threadId, runId }, { retries = 20 } = {}) {
    let last = null;
    let waitMs = 2000;
    for (let dropped = 0; dropped <= retries; ) {
      const headers = last === null ? this.headers : { ...this.headers, "last-event-id": last };
      try {
        const answer = await fetch(`${this.base}/api/v1/agent/runs/${threadId}/events?runId=${runId}`, { headers });
        if (answer.status === 204) return;
        if (!answer.ok) throw new RunProblem(await answer.json());
        for await (const { id, data, retry } of frames(answer.body)) {
          if (retry) waitMs = retry;
          if (id !== undefined) last = id;
          if (data === undefined) continue;
          const event = JSON.parse(data);
          dropped = 0;
          yield event;
          if (event.type === "RUN_FINISHED" || event.type === "RUN_ERROR") return;
        }
      } catch (error) {
        if (error instanceof RunProblem) throw error;
      }
      dropped += 1;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
    throw new Error("the stream could not be resumed");
  }
}

/** Server-sent events of a response body. */
export async function* frames(body) {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks(body)) {
    text += decoder.decode(chunk, { stream: true });
    let end;
    while ((end = text.indexOf("\n\n")) >= 0) {
      const frame = {};
      for (const line of text.slice(0, end).split("\n")) {
        if (line.startsWith("id: ")) frame.id = line.slice(4);
        if (line.startsWith("data: ")) frame.data = line.slice(6);
        if (line.startsWith("retry: ")) frame.retry = Number(line.slice(7));
      }
      text = text.slice(end + 2);
      yield frame;
    }
  }
}

async function* chunks(body) {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
