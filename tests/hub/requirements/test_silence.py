"""What no line of the log may hold: secrets, births, and what people wrote."""

import asyncio
import json

from tests.hub.client import Connection, tool_call
from tests.hub.live import composed
from tests.hub.worlds import BIRTH, T1

WORDS = ("Reykjavik", "meine Frage", "ein Titel", "ein Inhalt", "Orakel", "kaputt")


def requests(key):
    """Calls that hold something nobody else may read: good ones, refused ones, and bodies that are none."""
    born = {**BIRTH, "location": {"city_name": "Reykjavik"}}
    post = {"title": "ein Titel", "content": "ein Inhalt", "author_display_name": "Orakel"}
    for path, body in (
        ("/api/mcp", tool_call(T1, born)),
        ("/api/mcp", tool_call(T1, {**born, "birth_day": "kaputt"})),
        ("/api/universal/fortune/bazi_pattern_analysis", born),
        ("/api/universal/fortune/bigluck_year_fortune_eval", {"question": "meine Frage"}),
        ("/api/universal/forum/forum_create_post", post),
        ("/api/universal/forum/kaputt", post),
        ("/api/universal/forum/forum_create_post", "kaputt"),
    ):
        for sent in (key, key[:-1] + "~", f"{key} kaputt"):
            yield path, json.dumps(body).encode(), {"x-api-key": sent}
    yield "/api/universal/fortune/bazi_basic_analysis", b'{"kaputt', {"authorization": f"Bearer {key}"}


def test_no_line_of_the_log_holds_a_secret_a_birth_or_a_word():
    async def run():
        app, made, hub = await composed()
        for path, body, headers in requests(made.personal):
            await Connection(app, path, body, headers=headers).run()
        hub.storage.forum = None
        await Connection(
            app, "/api/universal/forum/forum_list_posts", b"{}", headers={"x-api-key": made.agent}
        ).run()
        told = hub.telemetry._stream.getvalue()
        await hub.close(0)
        return told, made

    told, made = asyncio.run(run())
    lines = [json.loads(line) for line in told.splitlines()]
    assert {line["event"] for line in lines} == {"call", "fault"}
    for word in (*WORDS, *made, *(key[12:] for key in made)):
        assert word not in told
    assert {line["key_id"] for line in lines if "key_id" in line} <= {key[4:12] for key in made}
