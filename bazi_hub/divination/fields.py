"""What the members of requests and answers are made of: texts with bounds, ids, objects that are held to a model.

Types are exact. Lengths count Unicode code points after NFC.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, NamedTuple, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidationError,
    model_validator,
)
from pydantic_core import CoreSchema, core_schema

from bazi_hub.divination.problems import INVALID, refusal, wrong
from bazi_hub.ports import UUID_FORM
from bazi_hub.words.errors import MOST_TOLD
from bazi_hub.words.text_rules import too_long

UUID = re.compile(UUID_FORM)
RUN_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")
TAG = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")
_NOT_BLANK = re.compile(r"\S")


class TextBounds(NamedTuple):
    """Bounds of a string: characters at most, the pattern of all of it, and what that is called."""

    most: int
    pattern: re.Pattern[str] | None = None
    form: str = ""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.checked, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        published = self.pattern if self.pattern in (UUID, RUN_ID, TAG) else None
        return handler(schema) | ({"pattern": f"^{published.pattern}$"} if published else {})

    def checked(self, value: str) -> str:
        """The value; what is wrong with it as an error of pydantic."""
        if too_long(value, self.most):
            raise wrong(f"must have at most {self.most} characters")
        if self.pattern is not None and not self.pattern.fullmatch(value):
            raise wrong(f"must be {self.form}")
        return value


def not_blank(value: str) -> str:
    """The value; blank it is refused."""
    if not _NOT_BLANK.search(value):
        raise wrong("must not be blank")
    return value


def readable(read: Callable[[str], object], message: str, code: str = INVALID) -> AfterValidator:
    """Refuses a string for which `read` raises `ValueError`."""

    def check(value: str) -> str:
        try:
            read(value)
        except ValueError:
            raise wrong(message, code) from None
        return value

    return AfterValidator(check)


_DESCRIBED = Field(description="A UUID of any version; stored and echoed in lower case.")
ThreadId = Annotated[str, TextBounds(36, UUID, "a UUID"), AfterValidator(str.lower), _DESCRIBED]
RunName = Annotated[str, TextBounds(128, RUN_ID, "1 to 128 letters, digits, dots, hyphens or underscores")]
Instant = Annotated[str, Field(json_schema_extra={"format": "date-time"})]


class RequestModel(BaseModel):
    """What a client sends."""

    model_config = ConfigDict(frozen=True)


class ClosedRequestModel(RequestModel):
    """An object without other members than those listed."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _bounded(cls, value: Any) -> Any:
        """Of very many unknown members a hundred are looked at, the last of which counts the others."""
        if not isinstance(value, dict):
            return value
        known = _names(cls)
        surplus = [name for name in value if name not in known][MOST_TOLD - 1 :]
        if len(surplus) < 2:
            return value
        left_out = set(surplus)
        few = {name: member for name, member in value.items() if name not in left_out}
        return few | {f"{len(surplus)} more": None}


@cache
def _names(model: type[BaseModel]) -> frozenset[str]:
    """The names of the members on the wire."""
    return frozenset(field.alias or name for name, field in model.model_fields.items())


Model = TypeVar("Model", bound=RequestModel)


def held(model: type[Model], value: Any) -> Model:
    """What was sent, held to its model; `RunProblem` 422 with all that is wrong."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise refusal(error) from None
