"""A German, Spanish, French or Russian sentence, and the question that it answers."""

import re
from collections.abc import Iterator

from studium.workflows.questions.asking.european.forms import FORMS, Form
from studium.workflows.questions.asking.european.words import (
    ARTICLES,
    JOINERS,
    OPENERS,
    PERSONS,
    POINTERS,
    SUPERLATIVES,
    VAGUE,
    VERBS,
)
from studium.workflows.questions.asking.fact import Draft, Family, Vocabulary

LONGEST_SUBJECT = 8
LONGEST_ANSWER = 32
_SIGNS = re.compile(r"[,;:()\"„“«»?]")
_WHAT = {
    "de": ("Was", "Wer"),
    "es": ("Qué", "Quién"),
    "fr": ("Qu’est-ce que", "Qui est"),
    "ru": ("Что такое", "Кто такой"),
}


def drafts(sentence: str, language: str, vocabulary: Vocabulary) -> Iterator[Draft]:
    """What can be asked about one sentence in its language."""
    for form in FORMS.get(language, ()):
        found = form.pattern.fullmatch(sentence)
        if found and _is_subject(found["subject"], language):
            answer = found["answer"].partition(";")[0].rstrip()
            if form.family is not Family.DEFINITION or _is_definition(found["subject"], answer, language):
                yield Draft(form.family, _question(form, found, language, vocabulary), answer)
            return


def _is_subject(text: str, language: str) -> bool:
    """Whether a phrase names one thing, and says which."""
    if not text[0].isupper() or len(text.split()) > LONGEST_SUBJECT or VAGUE.fullmatch(text):
        return False
    if POINTERS.match(text) or OPENERS.match(text):
        return False
    if _SIGNS.search(text) or JOINERS.search(text) or VERBS.search(text):
        return False
    named = all(word[0].isupper() or word[0].isdigit() for word in text.split())
    return named or bool(ARTICLES.match(text)) or language == "ru"


def _is_definition(subject: str, answer: str, language: str) -> bool:
    """Whether a predicate says what something is; a name may be a person's, who is defined by an occupation only."""
    if len(answer.split()) > LONGEST_ANSWER or SUPERLATIVES.search(subject):
        return False
    # "Der Weg ist das ganze Jahr geöffnet": in German a noun phrase ends in a noun, and a noun is capitalised.
    if language == "de" and "," not in answer and answer.rsplit(maxsplit=1)[-1][0].islower():
        return False
    name = not ARTICLES.match(subject) and " " in subject and not any(char.isdigit() for char in subject)
    return not name or _is_person(answer)


def _is_person(text: str) -> bool:
    return bool(PERSONS.search(text.partition(",")[0]))


def _question(form: Form, found: re.Match[str], language: str, vocabulary: Vocabulary) -> str:
    subject = _inside(found["subject"], vocabulary)
    person = _is_person(found["subject"] if form.family is Family.PROPERTY else found["answer"])
    parts = {name: text or "" for name, text in found.groupdict().items()}
    parts |= {"subject": subject, "what": _WHAT[language][person], "which": _which(subject, language, person=person)}
    parts["many"] = _many(parts.get("unit", ""))
    return _agreeing(form.question.format(**parts))


def _many(unit: str) -> str:
    """`Cuántas aldeas`, `Cuántos faros`; where the ending does not tell, neither."""
    noun = unit.partition(" ")[0]
    if noun.endswith(("as", "ciones", "siones", "dades", "tudes")):
        return "Cuántas"
    return "Cuántos" if noun.endswith(("os", "ores")) else "Qué cantidad de"


def _which(subject: str, language: str, *, person: bool) -> str:
    """`Quién`, `Cuál`; `Qui`, `Quel`, `Quelle`."""
    if language == "es":
        return "Quién" if person else "Cuál"
    return "Qui" if person else "Quelle" if subject.startswith("la ") else "Quel"


def _inside(subject: str, vocabulary: Vocabulary) -> str:
    """An article at the start of a sentence, or a word that the document also writes small, loses its capital."""
    first = subject.partition(" ")[0]
    ordinary = ARTICLES.match(subject) or (first.istitle() and vocabulary.common(first))
    return subject[0].lower() + subject[1:] if ordinary else subject


def _agreeing(question: str) -> str:
    """`que un` → `qu’un`, `de arbres` → `d’arbres`, `Кто такой Анна` → `Кто такая Анна`."""
    question = re.sub(r"(?<=Qu’est-ce )que (?=[aeiouyéèêâAEIOUÉ])", "qu’", question)
    question = re.sub(r"(?<=Combien )de (?=[aeiouyhéèêâ])", "d’", question)
    return re.sub(r"(?<=Кто )такой(?= .*[\u0430я][?])", "такая", question)
