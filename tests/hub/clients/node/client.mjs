// One session of the official TypeScript client: a list, a call, an error, and another call. Prints what happened.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const [url, key, mode] = process.argv.slice(2);
const birth = {
  birth_year: 1990, birth_month: 5, birth_day: 15, birth_hour: 13, birth_minute: 30,
  gender: "male", location: { city_name: "Beijing" },
};

const client = new Client(
  { name: "tester", version: "1.0.0" },
  { versionNegotiation: { mode: mode === "legacy" || mode === "auto" ? mode : { pin: mode } } },
);
const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { "x-api-key": key } } });
await client.connect(transport);

const told = {};
told.tools = (await client.listTools()).tools.length;
told.balance = JSON.parse((await client.callTool({ name: "get_user_credits", arguments: {} })).content[0].text).balance;
const wrong = await client.callTool({ name: "bazi_basic_analysis", arguments: { birth_year: 1990 } });
told.error = { shown: wrong.isError, code: wrong.structuredContent?.code, issues: wrong.structuredContent?.issues?.length };
const chart = await client.callTool({ name: "bazi_basic_analysis", arguments: birth });
told.day = JSON.parse(chart.content[0].text).base_context.four_pillars.day;

// The chain of conversation.py, by its own table: three mistakes, mended by what the answers say.
const chain = JSON.parse(process.env.CHAIN ?? "[]");
const handles = {}, done = { calls: [], corrected: [], asked: 0, read: 0, most_read: 0 };
for (const [tool, first] of chain) {
  const given = Object.fromEntries(Object.entries(first).map(([name, value]) =>
    [name, typeof value === "string" && value.startsWith("<") ? handles[value.slice(1, -1)] : value]));
  for (let again = true; again && done.calls.length < 12;) {
    done.calls.push(tool);
    done.asked += Buffer.byteLength(JSON.stringify(given));
    const text = (await client.callTool({ name: tool, arguments: given })).content[0].text, answer = JSON.parse(text);
    done.read += Buffer.byteLength(text);
    if (Object.keys(handles).length || answer.base_context) done.most_read = Math.max(done.most_read, Buffer.byteLength(text));
    again = Boolean(answer.issues);
    for (const { path, message } of answer.issues ?? []) {
      done.corrected.push(path);
      const use = message.match(/use (\w+)$/), write = message.match(/write (\d+)/);
      if (use && path in given) { given[use[1]] = given[path]; delete given[path]; }
      else if (write) given[path] = Number(write[1]);
      else if (path in birth) given[path] = birth[path];
    }
    for (const [name, made] of Object.entries(answer)) if (made?.handle) handles[name] = made.handle;
    if (answer.final_result) done.words = answer.final_result.narrative;
  }
}
told.chain = done;
await client.close();
console.log(JSON.stringify(told));
