"""What a served hub has ready before the first call."""

from __future__ import annotations

import gc
import sys

import pytest

from bazi_core.errors import PlaceNotFound
from bazi_core.place import store, suggestions
from bazi_core.place.gazetteer import look_up
from bazi_hub.operate.serving import warm


def test_the_first_caller_who_misspells_a_place_does_not_wait_for_the_names_of_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("rapidfuzz")
    suggestions._every_key.cache_clear()
    suggestions.suggest.cache_clear()
    for module, name in ((gc, "freeze"), (sys, "setswitchinterval")):
        monkeypatch.setattr(module, name, lambda *_: None)
    warm()
    found, rows = list[int](), store.rows

    def counted(*asked: str) -> list[tuple[object, ...]]:
        answer = rows(*asked)
        found.append(len(answer))
        return answer

    monkeypatch.setattr(store, "rows", counted)
    with pytest.raises(PlaceNotFound) as refused:
        look_up("Guangzou")
    assert refused.value.data["suggestions"][0] == "Guangzhou"
    assert max(found) < 100
