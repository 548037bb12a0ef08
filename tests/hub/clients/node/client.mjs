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
await client.close();
console.log(JSON.stringify(told));
