"""Answers held against the published document: status, media type, headers, body, and every event of a stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jsonschema_rs import Draft202012Validator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.hub.client import Response

JSON_TYPES = ("application/json", "application/problem+json")
STREAM = "text/event-stream"


class Described:
    """A document, and what it says of an operation."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document

    def operations(self) -> Iterator[tuple[str, str]]:
        """`POST /path`, as method and path."""
        for path, item in self.document["paths"].items():
            for method in item:
                yield method.upper(), path

    def responses(self, method: str, path: str) -> dict[str, Any]:
        found: dict[str, Any] = self.document["paths"][path][method.lower()]["responses"]
        return found

    def codes(self, method: str, path: str) -> set[tuple[int, str]]:
        """Every status with every code that the document says may stand in it; the media type where there is no code."""
        return {
            (int(status), told)
            for status, response in self.responses(method, path).items()
            for told in self._codes(response)
        }

    def _codes(self, response: dict[str, Any]) -> Iterator[str]:
        for media_type, media in response.get("content", {"": {}}).items():
            narrowed = media.get("schema", {}).get("allOf", ({}, {}))[1].get("properties", {})
            error = narrowed.get("error", {}).get("properties", narrowed)
            yield from error.get("code", {}).get("enum", [media_type])

    def check(self, method: str, path: str, response: Response) -> tuple[int, str]:
        """Nothing in an answer that is not documented; gives its status with its code, as `codes` does."""
        described = self.responses(method, path)
        assert str(response.status) in described, (method, path, response.status)
        told = described[str(response.status)]
        for name, header in told.get("headers", {}).items():
            rules = self._followed(header)
            value = response.headers.get(name.lower())
            assert value is not None or not rules.get("required"), (method, path, name)
            if value is not None:
                self.validate(rules["schema"], value)
        media_type = response.headers.get("content-type", "").partition(";")[0]
        content = told.get("content", {"": {}})
        assert media_type in content, (method, path, response.status, media_type)
        self._check_body(media_type, content[media_type], response)
        if media_type not in JSON_TYPES or response.status < 400:
            return response.status, media_type
        error = response.json.get("error", response.json)
        return response.status, error["code"]

    def _check_body(self, media_type: str, media: dict[str, Any], response: Response) -> None:
        if media_type in JSON_TYPES:
            self.validate(media["schema"], response.json)
        elif media_type == STREAM:
            event = media["x-bazi-item-schema"]["properties"]["data"]["contentSchema"]
            assert response.events
            for each in response.events:
                self.validate(event, each)

    def _followed(self, node: dict[str, Any]) -> Any:
        if "$ref" not in node:
            return node
        found: Any = self.document
        for key in node["$ref"].removeprefix("#/").split("/"):
            found = found[key]
        return found

    def validate(self, schema: dict[str, Any], value: Any) -> None:
        whole = {**schema, "components": self.document["components"]}
        Draft202012Validator(whole).validate(value)
