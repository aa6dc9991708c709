"""The question loop without a model: it asks about definitions, and a second engine answers from the document.

    "OSPF is a link-state routing protocol."  →  What is OSPF?  →  a link-state routing protocol

The generator reads definitions; the validator sees only the question, looks for the sentence that answers it, and
takes the answer from there. What they do not agree on is not accepted.
"""

import re
from collections.abc import Sequence

from studium.domain.skill import Tool
from studium.minds.rules import Rule
from studium.workflows.questions.answers import gives_itself_away, same_answer, terms, words
from studium.workflows.questions.skills import (
    DEDUPE,
    GENERATE,
    VALIDATE,
    Candidate,
    Deduped,
    DedupeGiven,
    Exhausted,
    GenerateGiven,
    Validated,
    ValidateGiven,
)
from studium.workflows.questions.toolkit import ReadLines

_DEFINITION = re.compile(
    r"^(?P<subject>(?:The |An? )?[A-Z][\w'-]*(?: [\w'-]+){0,4}) (?P<verb>is|are) "
    r"(?P<predicate>(?:an?|the|one of|any) .{8,}?)[.!]$"
)
_POINTS_ELSEWHERE = re.compile(
    r"^(?:This|That|These|Those|It|They|He|She|There|Here|Such|What|Which|Each|All|Some|One)\b"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"“(])")
_MARKUP = re.compile(r"^\s*(?:#{1,6}\s.*|[-*+>|]\s?|```.*|\d+[.)]\s)")
_COPULA = re.compile(r"^(?:the |an? )?(?P<subject>.+?) (?:is|are) (?P<rest>.+?)[.!]?$", re.IGNORECASE)


async def generate(given: GenerateGiven, tools: Sequence[Tool]) -> Candidate | Exhausted:
    """Ask about the first definition that was not asked about yet."""
    for sentence in await _sentences(given.line_count, tools):
        found = _DEFINITION.match(sentence)
        if not found or _POINTS_ELSEWHERE.match(sentence):
            continue
        question = f"What {found['verb']} {_inside_a_sentence(found['subject'])}?"
        if question not in given.asked:
            return Candidate(question=question, answer=found["predicate"], quotes=(sentence,))
    return Exhausted(reason="No further definition was found; without a model only definitions are asked about.")


def dedupe(given: DedupeGiven, _tools: Sequence[Tool]) -> Deduped:
    """Two questions ask the same if they are made of the same words and numbers."""
    mine = terms(given.question)
    return Deduped(duplicate_of=next((asked for asked in given.accepted if terms(asked) == mine), None))


async def validate(given: ValidateGiven, tools: Sequence[Tool]) -> Validated:
    """Look for the sentences that could answer the question, and answer from them."""
    topic = terms(given.question) - words("What is are who when where which how")
    answers = [
        (rest, sentence)
        for sentence in await _sentences(given.line_count, tools)
        if (rest := _predicate(sentence, topic)) is not None
    ]
    if not answers:
        return Validated(answerable=False, detail="No sentence of the document answers it.")
    answer, sentence = answers[0]
    rival = next((other for other, _ in answers[1:] if not same_answer(answer, other)), None)
    return Validated(
        answerable=True,
        answer=answer,
        quotes=(sentence,),
        ambiguous=rival is not None,
        trivial=gives_itself_away(given.question, answer),
        detail="" if rival is None else f"The document also says: {rival}",
    )


RULES: dict[str, Rule] = {GENERATE.name: generate, DEDUPE.name: dedupe, VALIDATE.name: validate}


def _predicate(sentence: str, topic: set[str]) -> str | None:
    """What the sentence says of the topic, if it is about the topic and nothing else."""
    found = _COPULA.match(sentence)
    return found["rest"] if found and terms(found["subject"]) == topic else None


def _inside_a_sentence(subject: str) -> str:
    """`The OSPF router` → `the OSPF router`."""
    article, _, rest = subject.partition(" ")
    return f"{article.lower()} {rest}" if article in ("The", "A", "An") else subject


async def _sentences(line_count: int, tools: Sequence[Tool]) -> list[str]:
    """The sentences of the document, read with the tool that a model would use."""
    read = next(tool for tool in tools if tool.name == "read_lines")
    lines: list[str] = []
    while len(lines) < line_count:
        reply = read.run(ReadLines(start_line=len(lines) + 1))
        text = (reply if not hasattr(reply, "__await__") else await reply).text
        lines += [line.partition(": ")[2] for line in text.splitlines()[:-1]]
    paragraphs = re.split(r"\n\s*\n", "\n".join("" if _MARKUP.match(line) else line for line in lines))
    return [sentence for text in paragraphs for sentence in _SENTENCE.split(" ".join(text.split())) if sentence]
