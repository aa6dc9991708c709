"""Questions about Japanese and Chinese sentences: definitions and the values of properties."""

import re
from collections.abc import Iterator

from studium.questions.rules.generation.facts import QuestionDraft, QuestionFamily

_BRACKET, _CLOSING = "[\uff08(]", "[\uff09)]"
_SIGNS = "\u3001\u3002\uff0c,\uff1b\uff1a:\u300c\u300d\u201c\u201d\uff08\uff09()"
_SHORT_FORM = f"(?:{_BRACKET}[^{_SIGNS}]{{1,20}}{_CLOSING})?"
_JA_IS = re.compile(
    rf"(?P<subject>[^はが{_SIGNS}]{{2,24}}?){_SHORT_FORM}(?:とは|は)、?(?P<answer>[^。]{{2,90}}?)"
    r"(?:のことである|のことです|である|です|だ)。"
)
_ZH_IS = re.compile(rf"(?P<subject>[^是{_SIGNS}]{{1,20}}?){_SHORT_FORM}是(?P<answer>[^否不].{{1,80}}?)。")
_NUMERIC = re.compile(r"(?:約|およそ|大约|约)?[\d一二三四五六七八九十百千万億亿][\d,.百千万億亿]*[^的]{0,12}")
_POINTERS = re.compile(
    "これ|それ|あれ|この|その|あの|ここ|彼|彼女|私|我|你|他|她|它|这|那|此|其|本|我们|他们|上記|以下|また|しかし|但|而|如果"
)
_CLAUSE = re.compile("ため|から|ので|とき|場合")
_ADJECTIVE = re.compile(r"(?:可能|必要|重要|有名|同じ|便利|簡単|困難|一般的|代表的|基本的|的)$")
LEAST_DEFINITION = 6


def east_asian_questions(sentence: str, language: str) -> Iterator[QuestionDraft]:
    """The questions about one sentence."""
    found = (_JA_IS if language == "ja" else _ZH_IS).fullmatch(sentence)
    if not found or _POINTERS.match(found["subject"]) or _CLAUSE.search(found["subject"]):
        return
    subject, answer = found["subject"], found["answer"]
    if _ADJECTIVE.search(answer):
        return
    if _NUMERIC.fullmatch(answer):
        question = f"{subject}はどのくらいですか。" if language == "ja" else f"{subject}是多少？"
        yield QuestionDraft(QuestionFamily.NUMBER, question, answer)
    elif "の" in subject or "的" in subject:
        question = f"{subject}は何ですか。" if language == "ja" else f"{subject}是什么？"
        yield QuestionDraft(QuestionFamily.PROPERTY, question, answer)
    elif len(answer) >= LEAST_DEFINITION:
        question = f"{subject}とは何ですか。" if language == "ja" else f"什么是{subject}？"
        yield QuestionDraft(QuestionFamily.DEFINITION, question, answer)
