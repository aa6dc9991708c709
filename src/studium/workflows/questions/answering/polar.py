"""Questions that are answered by yes or no, or by choosing one of two."""

from studium.workflows.questions.answering.keys import keys_of
from studium.workflows.questions.answering.lookup import Found, Lookup, Match

_YES_NO = {
    "en": ("Yes", "No"),
    "de": ("Ja", "Nein"),
    "es": ("Sí", "No"),
    "fr": ("Oui", "Non"),
    "ru": ("Да", "Нет"),
    "ja": ("はい", "いいえ"),
}


def yes_or_no(lookup: Lookup, match: Match) -> Found | None:
    """Yes where the line says all that is asked; no where it denies it."""
    denied = any(word.negation for word in match.line.words) != bool(lookup.asked.negations)
    return Found(_YES_NO[lookup.asked.language][denied], match.line.quote, match.fit)


def chosen(lookup: Lookup, match: Match) -> Found | None:
    """The one of the offered answers that the line has, if it has not both."""
    language = lookup.asked.language
    there = [offer for offer in lookup.asked.offered if keys_of(offer, language) <= match.line.keys]
    denied = any(word.negation for word in match.line.words)
    return Found(there[0], match.line.quote, match.fit) if len(there) == 1 and not denied else None
