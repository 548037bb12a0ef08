"""Every port in plain Python, for one process: local tools, demonstrations, tests.

Methods are coroutines that never wait, so that each is one step for everybody else. What they keep are rows (`tables`), the
same that a database keeps, and nothing that could be summed up from them but the balances, which `verify` recounts.
"""

from bazi_hub.memory.storage import MemoryStorage
from bazi_hub.money.limits import MemoryLimits
from bazi_hub.words.system import AllowAll, NoTelemetry, SystemClock, SystemIds

__all__ = ["AllowAll", "MemoryLimits", "MemoryStorage", "NoTelemetry", "SystemClock", "SystemIds"]
