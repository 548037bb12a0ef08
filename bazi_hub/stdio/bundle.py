"""The bundle with which desktop clients install the tools: an archive of a manifest and what to start (MCPB 0.4)."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

from bazi_core import __version__
from bazi_hub.http.wire.about import DESCRIPTION, TITLE
from bazi_hub.tools.catalog import TOOLS

_SERVER = """import sys

from bazi_cli.main import main

sys.argv[1:] = ["mcp"]
main()
"""
_PROJECT = f"""[project]
name = "bazi-bundle"
version = "{__version__}"
requires-python = ">=3.11"
dependencies = ["bazi-core=={__version__}"]
"""
# Archives of the same version are the same bytes.
_MADE = (1980, 1, 1, 0, 0, 0)


def manifest() -> dict[str, Any]:
    """The manifest: the client starts the server by uv, which installs the distribution that it names."""
    return {
        "manifest_version": "0.4",
        "name": "bazi",
        "display_name": TITLE,
        "version": __version__,
        "description": DESCRIPTION,
        "author": {"name": "bazi-core"},
        "license": "MIT",
        "server": {
            "type": "uv",
            "entry_point": "server.py",
            "mcp_config": {"command": "uv", "args": ["run", "--directory", "${__dirname}", "server.py"]},
        },
        "tools": [{"name": tool.name, "description": tool.description} for tool in TOOLS],
        "compatibility": {"platforms": ["darwin", "linux", "win32"], "runtimes": {"python": ">=3.11"}},
    }


def bundled() -> bytes:
    """The archive.

    >>> zipfile.ZipFile(io.BytesIO(bundled())).namelist()
    ['manifest.json', 'pyproject.toml', 'server.py']
    """
    made = io.BytesIO()
    files = {
        "manifest.json": json.dumps(manifest(), ensure_ascii=False, indent=2) + "\n",
        "pyproject.toml": _PROJECT,
        "server.py": _SERVER,
    }
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, _MADE), text)
    return made.getvalue()
