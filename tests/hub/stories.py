"""Tests that are stories: coroutines, each of which is given something of its own that is opened for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial, wraps
from inspect import signature
from types import FunctionType
from typing import Any

MAKERS = (type, partial, FunctionType)


def story_in(place: Callable[..., AbstractAsyncContextManager[Any]]) -> Any:
    """A decorator of tests, bare or with the options of the place; what an option makes is made anew for each test."""

    def decorated(story: Callable[..., Awaitable[None]] | None = None, /, **options: Any) -> Any:
        if story is None:
            return partial(decorated, **options)

        @wraps(story)
        def test(**given: Any) -> None:
            async def play() -> None:
                made = {name: each() if isinstance(each, MAKERS) else each for name, each in options.items()}
                async with place(**made) as it:
                    await story(it, **given)

            asyncio.run(play())

        _, *others = signature(story).parameters.values()
        test.__signature__ = signature(story).replace(parameters=others)  # type: ignore[attr-defined]
        return test

    return decorated


def in_loop(story: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """A test that is given nothing but a loop of its own."""

    @wraps(story)
    def test(**given: Any) -> None:
        asyncio.run(story(**given))  # type: ignore[arg-type]

    return test
