"""Every port in plain Python, for one process, as embedders import them: local tools, demonstrations, tests."""

from bazi_hub.money.limits import MemoryLimits
from bazi_hub.store.memory.storage import MemoryStorage
from bazi_hub.words.system import AllowAll, NoTelemetry, SystemClock, SystemIds

__all__ = ["AllowAll", "MemoryLimits", "MemoryStorage", "NoTelemetry", "SystemClock", "SystemIds"]
