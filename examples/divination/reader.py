"""A reader of divination runs that needs nothing but Python: submits a cast, follows its events, prints the answer.

    python reader.py http://localhost:8000 bzp_… "我最近换工作是否合适?" 少阳 少阴 老阳 少阴 少阳 老阴

A connection that drops is taken up behind the last event that was seen; the run goes on meanwhile.
"""

from __future__ import annotations

import json
import sys
import time
import uuid
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ENDS = ("RUN_FINISHED", "RUN_ERROR")


class Problem(Exception):
    """A problem document (RFC 9457)."""

    def __init__(self, document: dict[str, Any]) -> None:
        super().__init__(f"{document['code']}: {document['detail']}")
        self.code, self.status, self.params = document["code"], document["status"], document.get("params", {})


class Runs:
    def __init__(self, base: str, key: str) -> None:
        self.base, self.key = base.rstrip("/"), key

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """An open response; `Problem` for one that is an error."""
        raw = None if body is None else json.dumps(body).encode()
        sent = {"x-api-key": self.key, "content-type": "application/json", **headers}
        try:
            return urlopen(Request(self.base + path, raw, sent, method=method), timeout=60)
        except HTTPError as error:
            raise Problem(json.load(error)) from None

    def submit(
        self, payload: dict[str, Any], thread: str | None = None, run: str | None = None
    ) -> dict[str, Any]:
        """The run that was accepted."""
        run = run or f"run_{uuid.uuid4()}"
        body = {
            "threadId": thread or str(uuid.uuid4()),
            "runId": run,
            "state": {},
            "messages": [{"id": f"msg_{run}", "role": "user", "content": payload["question"]}],
            "tools": [],
            "context": [],
            "forwardedProps": {"runtime_mode": "chat", "divinationPayload": payload},
        }
        with self.ask("POST", "/api/v1/agent/runs", body) as answer:
            accepted: dict[str, Any] = json.load(answer)
        return accepted

    def events(self, accepted: dict[str, Any], wait_s: float = 2.0) -> Iterator[dict[str, Any]]:
        """Every event until the end, whatever happens to the connection."""
        last: dict[str, str] = {}
        while True:
            try:
                with self.ask("GET", accepted["eventsUrl"], **last) as stream:
                    if stream.status == 204:
                        return
                    for event_id, event in frames(stream):
                        if event_id:
                            last = {"last-event-id": event_id}
                        yield event
                        if event["type"] in ENDS:
                            return
            except OSError:
                pass
            time.sleep(wait_s)


def frames(lines: Iterable[bytes]) -> Iterator[tuple[str | None, dict[str, Any]]]:
    """The events of a stream with their ids; of two events under one id the first has none."""
    event_id: str | None = None
    for line in lines:
        text = line.decode().rstrip("\n")
        if text.startswith("id: "):
            event_id = text[4:]
        elif text.startswith("data: "):
            yield event_id, json.loads(text[6:])
            event_id = None


def main() -> None:
    base, key, question, *lines = sys.argv[1:]
    payload = {
        "divinationMethod": "手动起卦",
        "questionType": "其他",
        "question": question,
        "divinationTimeIso": datetime.now().astimezone().isoformat(timespec="seconds"),
        "yaoLines": lines,
    }
    runs = Runs(base, key)
    for event in runs.events(runs.submit(payload)):
        if event["type"] == "DIVINATION_DERIVED":
            print(event["divination"]["guaName"], "→", event["divination"]["targetGuaName"])
        elif event["type"] == "TEXT_MESSAGE_CONTENT":
            print(event["delta"], end="", flush=True)
        elif event["type"] == "TEXT_MESSAGE_END":
            print("\n", event.get("sign_level", ""), *event["conclusion"], sep="\n")
        elif event["type"] == "RUN_ERROR":
            print(event["code"], event["message"], file=sys.stderr)


if __name__ == "__main__":
    main()
