"""The calls, runs and purchases that this process executes, each a task that others may wait for."""

from __future__ import annotations

import asyncio

from bazi_hub.words.call import Outcome

# What two requests share that are to be executed once.
Key = tuple[str, ...]


class CallInProgress:
    """A task with the fingerprint of what was asked; another fingerprint under the same key is another request."""

    def __init__(self, fingerprint: str, task: asyncio.Task[Outcome]) -> None:
        self.fingerprint, self.task = fingerprint, task
        self._settling = self._stopped = False

    def stop(self) -> None:
        """Cancels the task; while the call is being paid, only as soon as it is not."""
        self._stopped = True
        if not self._settling:
            self.task.cancel()

    def settle(self) -> None:
        """The call is being paid from now on."""
        self._settling = True

    def wait(self) -> None:
        """The call was not paid, and waits for somebody else; `CancelledError` if it was stopped meanwhile."""
        self._settling = False
        if self._stopped:
            raise asyncio.CancelledError


class CallsInProgress(dict["Key", CallInProgress]):
    """The calls in progress by key; each is gone when its task has ended."""

    def begin(self, key: Key, call: CallInProgress) -> None:
        self[key] = call
        call.task.add_done_callback(lambda _: self.pop(key, None))
