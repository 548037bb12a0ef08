"""Display defaults: the language and the theme of `print` and of notebooks.

No computation reads them: a chart is the same whatever they are.
"""

from __future__ import annotations

from bazi_core.errors import known
from bazi_core.tables import words


class Options:
    """`bz.options`: the language (`lang`) and the theme (`theme`) of display; None restores the default.

    >>> from bazi_core import options
    >>> options.lang = "en"
    >>> options
    Options(lang='en', theme='auto')
    >>> options.lang = None
    """

    @property
    def lang(self) -> str:
        """zh-Hans, zh-Hant or en: as set, else that of BAZI_LANG, else of the configuration, else zh-Hans."""
        return words.spoken()

    @lang.setter
    def lang(self, value: str | None) -> None:
        language = words.named_language(value) if isinstance(value, str) else value
        if value is not None:
            known("lang", language or value, words.LANGUAGES)
        words.show(lang=language)

    @property
    def theme(self) -> str:
        """light, dark or auto (the default), which follows the reader's system."""
        return words.shown_theme()

    @theme.setter
    def theme(self, value: str | None) -> None:
        if value is not None:
            known("theme", value, ("light", "dark", "auto"))
        words.show(theme=value)

    def __repr__(self) -> str:
        return f"Options(lang={self.lang!r}, theme={self.theme!r})"


options = Options()
