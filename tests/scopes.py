"""How tests are given to workers: all of a file, or all of a folder, to one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdist.scheduler import LoadScopeScheduling

if TYPE_CHECKING:
    from collections.abc import Sequence


class Collected(list[str]):
    """The ids that a worker has collected; where one of them stands is known without a search."""

    def __init__(self, ids: Sequence[str]) -> None:
        super().__init__(ids)
        self._places = {each: place for place, each in enumerate(ids)}

    def index(self, nodeid: str, *_: Any) -> int:
        return self._places[nodeid]


class Scopes(LoadScopeScheduling):  # type: ignore[misc]
    """A scope is a file or a folder: tests of a folder share what they import, draw at random and keep.

    What is done is forgotten: otherwise all of it would be counted at every report of every test.
    """

    def __init__(self, config: Any, log: Any, by_folder: bool) -> None:
        super().__init__(config, log)
        self._by_folder = by_folder

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return file.rpartition("/")[0] if self._by_folder else file

    def add_node_collection(self, node: Any, collection: Sequence[str]) -> None:
        super().add_node_collection(node, collection)
        if node in self.registered_collections:
            self.registered_collections[node] = Collected(collection)

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
        super().mark_test_complete(node, item_index, duration)
        scope = self._split_scope(self.registered_collections[node][item_index])
        if all(self.assigned_work[node][scope].values()):
            del self.assigned_work[node][scope]
