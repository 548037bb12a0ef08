// Draws charts as the offline page does, from a folder that `docs/try/make.py` put together: node draw.mjs SITE < asked.json
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const site = process.argv[2];
const load = (name) => import(pathToFileURL(join(site, name)).href);
const { start } = await load("chart.mjs");
const { loadPyodide } = await load("pyodide/pyodide.mjs");

const begun = performance.now();
const archive = new Uint8Array(readFileSync(join(site, "bazi.zip")));
const draw = await start(loadPyodide, archive, { indexURL: join(site, "pyodide") + "/" });
const ready = performance.now();
const spent = process.cpuUsage();
const ready_cpu_ms = (spent.user + spent.system) / 1000;
const made = JSON.parse(readFileSync(0, "utf8")).map((asked) => {
  const [at, used] = [performance.now(), process.cpuUsage()];
  const made = draw(asked);
  const { user, system } = process.cpuUsage(used);
  return { ...made, ms: performance.now() - at, cpu_ms: (user + system) / 1000 };
});
process.stdout.write(JSON.stringify({ ready_ms: ready - begun, ready_cpu_ms, made }));
