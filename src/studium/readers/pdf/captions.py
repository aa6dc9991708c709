"""How the caption of a figure or a table begins."""

import re

_TABLE_WORDS = "Table|Tab\\.|Tabelle|Tabla|Tableau|Tabella|Tabela|Таблица|Табл\\.|表"
_FIGURE_WORDS = "Figure|Fig\\.?|Abbildung|Abb\\.|Figura|Scheme|Chart|Рисунок|Рис\\.|図"
# `Figure 3 shows` is no caption, `Figure 3: …`, `Fig. 3 The …` and `TABLE IV` are.
CAPTION = re.compile(
    rf"(?:(?P<table>{_TABLE_WORDS})|{_FIGURE_WORDS})\s*(?:[A-Z]?\d{{1,3}}(?:[.-]\d{{1,3}})*|[IVXLC]{{1,6}})[a-z]?"
    r"(?:\s*[.:|–—-]|\s*$|\s*\n|\s+(?-i:[^\W\d_a-z\u0430-\u044f]))",
    re.IGNORECASE,
)
