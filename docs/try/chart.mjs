// Charts by the library itself, in a browser or in node: Python runs here, nothing is asked of a server.

const PROGRAM = `
import json
import sys

sys.path.insert(0, "/bazi")

import bazi_core as bz


def drawn(asked):
    """The chart of a birth as pillars, pictures and text, or what is wrong with what was asked, as JSON."""
    given = json.loads(asked)
    when, lang, theme = given.pop("when"), given.pop("lang"), given.pop("theme")
    try:
        chart = bz.chart(when, **{name: value for name, value in given.items() if value})
        parts = ("pillars", "elements", "luck") if chart.luck else ("pillars", "elements")
        pictures = {part: chart.svg(lang, theme, part=part) for part in parts}
        made = {"pillars": str(chart.pillars), "pictures": pictures, "text": chart.to_text(lang)}
    except bz.BaziError as error:
        made = {"code": error.code, "error": error.text(lang), "hint": error.advice(lang)}
    return json.dumps(made)


drawn
`;

/** Starts Python and gives it the library: `loadPyodide` is pyodide's, `archive` the bytes of `bazi.zip`. The result draws
 * charts: `draw({when, city, gender, lang, theme})` → `{pillars, pictures, text}` or `{code, error, hint}`. */
export async function start(loadPyodide, archive, options = {}) {
  const python = await loadPyodide(options);
  python.unpackArchive(archive, "zip", { extractDir: "/bazi" });
  const drawn = python.runPython(PROGRAM);
  return ({ when, city = "", gender = "", lang = "zh-Hans", theme = "light" }) =>
    JSON.parse(drawn(JSON.stringify({ when, city, gender, lang, theme })));
}
