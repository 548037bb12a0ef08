"""MCP over standard input and output: a JSON object per line, for launchers that start a process of their own.

Standard output belongs to the protocol alone. Its descriptor is put aside before anything else happens and replaced by that
of standard error, so that whatever a library prints, at import or later, cannot be mistaken for an answer. Calls run side by
side; at the end of the input those that run are finished, and then the process ends.
"""

from bazi_hub.stdio.bridge import bridge
from bazi_hub.stdio.lines import claim_stdout
from bazi_hub.stdio.session import serve_stdio

__all__ = ["bridge", "claim_stdout", "serve_stdio"]
