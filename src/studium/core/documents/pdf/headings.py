"""Tell headings from large text that is none: formulas, captions, sentences, list items, addresses and dates."""

import re

from studium.core.documents.pdf.layout import CAPTION
from studium.core.documents.pdf.tables import LEADER

NUMBERED_TITLE = re.compile(r"(?:(?:\d++(?:\.\d++)*+|[A-Z](?:\.\d++)++)\.?|(?:Chapter|Appendix|Part|Section)\s\S+)\s")
_LONGEST = 200
_LONG_WORDS, _SENTENCE_WORDS = 14, 4
# Of the letters of a heading, the least share that is in words; a formula has signs and single letters.
_WORDS = 0.5
_WORD = re.compile(r"(?=\w?[^\W\d_])\w{2,}|[\u2e80-\ud7ff]")
_SIGNS = r"=<>+\u00b1\u00d7\u2200-\u22ff\u2300-\u23ff\u27c0-\u2aff\u0370-\u03ff\ufffd\ue000-\uf8ff"
_FORMULA = re.compile(rf"[{_SIGNS}]|\b[A-Za-z]\d\b|\s[a-zA-Z],\s[a-zA-Z]\b")
_ADDRESS = re.compile(r"\S+@\S+\.\S+|(?:https?:|www\.)\S+")
_DATE = re.compile(
    r"(?:\d{1,2}[. ]\s?)?[^\W\d_]{3,10}\.?\s(?:\d{1,2}(?:st|nd|rd|th)?,?\s)?\d{4}(?:,.*)?"
    r"|\d{1,4}[-./]\d{1,2}[-./]\d{1,4}"
)
_MONTHS = re.compile(
    r"jan|feb|m[aä]r|apr|ma[iy]|ju[nl]|aug|sep|o[ck]t|nov|de[cz]|ene|abr|ago|dic|fév|avr|aoû|déc", re.IGNORECASE
)
_CODE = re.compile(r"\w=\w|[{};]\s*$|^[\w.]+\(.*\)\W*$|^[$>#%]\s|::|->|<-|\\\w|^\W*[\w./-]*[_/][\w./-]*\W*$")
_PAGE = re.compile(r"\s\d{1,4}$")
_LABEL = re.compile(
    r"(?:notes?|tips?|caution|warning|important|hint|danger|example|remark|hinweis|anmerkung|tipp|warnung|achtung|wichtig"
    r"|nota|sugerencia|atención|atencion|aviso|importante|precaución|remarque|astuce|attention|avertissement"
    r"|注意|ヒント|警告|備考|注記|提示|重要)\W*\d*\W*",
    re.IGNORECASE,
)
_OPEN_ENDS = (",", ";", "(", "[", "–", "—", "-")


def is_label(text: str) -> bool:
    """Whether a bold line is the label of a box or a line of the contents, or has no word that starts like a title."""
    return (
        bool(_LABEL.fullmatch(text) or _PAGE.search(text))
        or text.endswith(":")
        or not re.match(r"[^a-z]*[A-Z\u00c0-\u00de\u0400-\u042f\u2e80-\ud7ff]", text)
    )


def is_title(text: str, *, is_small: bool) -> bool:
    """Whether a large line is a heading; `is_small` if it is hardly larger than the text."""
    if len(text) > _LONGEST or LEADER.search(text) or CAPTION.match(text) or text.startswith(("- ", "\\")):
        return False
    numbered = NUMBERED_TITLE.match(text)
    title = text[numbered.end() :] if numbered else text
    if sum(map(len, _WORD.findall(title))) < _WORDS * (len(title) - title.count(" ")) or not title:
        return False
    if numbered:
        return not title.endswith(_OPEN_ENDS)
    return not (_is_formula(text) or _is_address_or_date(text) or _CODE.search(text) or _is_running(text, is_small))


def _is_formula(text: str) -> bool:
    """Whether signs are as common as words."""
    return 2 * len(_FORMULA.findall(text)) >= len(_WORD.findall(text))


def _is_address_or_date(text: str) -> bool:
    return bool(_ADDRESS.search(text)) or bool(_DATE.fullmatch(text) and _MONTHS.search(text))


def _is_running(text: str, is_small: bool) -> bool:
    """Whether a text is a sentence, or a part of one."""
    words = text.split()
    if text.endswith(_OPEN_ENDS) or (text.endswith(":") and len(words) > _LONG_WORDS // 2):
        return True
    if text.endswith((".", "。")) and not text.endswith("..") and (is_small or len(words) >= _SENTENCE_WORDS):
        return True
    if text[0].islower() and (is_small or len(words) == 1 or text.endswith(".")):
        return True
    return is_small and len(words) > _LONG_WORDS and not text.endswith("?")
