"""Questions about German, Spanish, French and Russian sentences, by sentence patterns."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from studium.questions.rules.generation.facts import DocumentVocabulary, QuestionDraft, QuestionFamily


@dataclass(frozen=True)
class SentencePattern:
    """A sentence pattern with the groups `subject` and `answer`, and the template of its question."""

    family: QuestionFamily
    pattern: re.Pattern[str]
    question: str


def _pattern(family: QuestionFamily, question: str, *parts: str) -> SentencePattern:
    return SentencePattern(family, re.compile(" ".join(parts) + r"\.", re.DOTALL), question)


_S = r"(?P<subject>.{2,70}?)"
_ABOUT = "rund|etwa|ungefähr|über|mehr als|circa|unos|unas|casi|más de|aproximadamente|environ|près de|plus de"
_LARGE = r"Millionen|Milliarden|millones(?: de)?|millions(?: de)?|milliards(?: de)?"
_NUMBER = rf"(?:(?:{_ABOUT}) )?\d+(?:[., \u00a0\u202f]\d+)*(?: (?:{_LARGE}))?"
_COUNT = rf"(?P<answer>{_NUMBER} (?P<unit>[^\W\d_][\w-]*(?: [^\W\d_][\w-]*){{0,2}}))"
_YEAR = r"(?:1\d{3}|20\d{2})"
_CAPITAL = "[A-ZÁÉÍÓÚÑÄÖÜÀÂÇÈÊ]"
_NAME = rf"(?P<answer>{_CAPITAL}[\w’'.-]*(?: (?:(?:de|del|la|von|van|der) )*{_CAPITAL}[\w’'.-]*){{0,4}})"
_REST = r"(?: [^,;]*)?"

SENTENCE_PATTERNS = {
    "de": (
        _pattern(
            QuestionFamily.PROPERTY,
            "{what} {verb} {subject}?",
            r"(?P<subject>(?:Der|Die|Das) .{2,50}? (?:von|der|des|vom) .{2,40}?)",
            "(?P<verb>ist|war)",
            _NAME,
        ),
        _pattern(
            QuestionFamily.DEFINITION,
            "{what} {verb} {subject}?",
            _S,
            "(?P<verb>ist|sind|war|waren)",
            "(?P<answer>(?:eine?|der|die|das|einer der|eine der|eines der) .{8,})",
        ),
        _pattern(
            QuestionFamily.NUMBER,
            "Wie viele {unit} {verb} {subject}?",
            _S,
            "(?P<verb>hat|haben|besitzt|besitzen|umfasst|enthält|zählt|hatte)",
            _COUNT,
        ),
        _pattern(
            QuestionFamily.NUMBER,
            "Wie viel {verb} {subject}?",
            _S,
            "(?P<verb>beträgt|betrug|kostet|wiegt)",
            rf"(?P<answer>{_NUMBER}.{{0,40}})",
        ),
        _pattern(
            QuestionFamily.DATE,
            "Wann {verb} {subject}{rest} {done}?",
            _S,
            rf"(?P<verb>wurden?) (?:im Jahre? |im |am )?(?P<answer>(?:\d{{1,2}}\. )?(?:[A-ZÄ]\w+ )?{_YEAR})"
            r"(?P<rest> [^,;]*?)?",
            "(?P<done>[a-zäöü]+)",
        ),
        _pattern(
            QuestionFamily.PURPOSE,
            "Wozu {verb} {subject}?",
            _S,
            "(?P<verb>dient|dienen)",
            "(?P<answer>(?:zu|zum|zur|der|dem|als) .{6,})",
        ),
    ),
    "es": (
        _pattern(
            QuestionFamily.PROPERTY,
            "¿{which} {verb} {subject}?",
            r"(?P<subject>(?:El|La) .{2,50}? del? .{2,40}?)",
            "(?P<verb>es|fue)",
            _NAME,
        ),
        _pattern(
            QuestionFamily.DEFINITION,
            "¿{what} {verb} {subject}?",
            _S,
            "(?P<verb>es|son|fue|fueron|era)",
            "(?P<answer>(?:una?|el|la|los|las|uno de|una de) .{8,})",
        ),
        _pattern(
            QuestionFamily.NUMBER,
            "¿{many} {unit} {verb} {subject}?",
            _S,
            "(?P<verb>tiene|tienen|contiene|posee|incluye|comprende|tenía)",
            _COUNT,
        ),
        _pattern(
            QuestionFamily.NUMBER,
            "¿Cuánto {verb} {subject}?",
            _S,
            "(?P<verb>mide|pesa|cuesta|dura)",
            rf"(?P<answer>{_NUMBER}.{{1,30}})",
        ),
        _pattern(
            QuestionFamily.DATE,
            "¿En qué año {verb} {done} {subject}?",
            _S,
            "(?P<verb>fue|fueron) (?P<done>[a-zñáéíóú]+[dts][oa]s?) en",
            rf"(?P<answer>{_YEAR}){_REST}",
        ),
    ),
    "fr": (
        _pattern(
            QuestionFamily.PROPERTY,
            "{which} {verb} {subject} ?",
            r"(?P<subject>(?:Le|La|L[’']) ?.{2,50}? (?:de|du|des|d[’']) ?.{2,40}?)",
            "(?P<verb>est|était)",
            _NAME,
        ),
        _pattern(
            QuestionFamily.DEFINITION,
            "{what} {subject} ?",
            _S,
            "(?P<verb>est|sont|était|fut)",
            "(?P<answer>(?:une?|le|la|l[’']|des|les|l’une? des) ?.{8,})",
        ),
        _pattern(
            QuestionFamily.NUMBER,
            "Combien de {unit} {verb} {subject} ?",
            _S,
            "(?P<verb>compte|comptent|possède|possèdent|comprend|contient|comportait|a)",
            _COUNT,
        ),
        _pattern(
            QuestionFamily.DATE,
            "En quelle année {verb} {done} {subject} ?",
            _S,
            "(?P<verb>a été|ont été) (?P<done>[a-zéèêîïû]+(?:és?|ées?|it|ite|is|ise)) en",
            rf"(?P<answer>{_YEAR}){_REST}",
        ),
    ),
    "ru": (
        _pattern(QuestionFamily.DEFINITION, "{what} {subject}?", _S, "[—–-] это", "(?P<answer>.{8,})"),
        _pattern(
            QuestionFamily.DATE,
            "Когда {verb} {done} {subject}?",
            _S,
            "(?P<verb>был|была|было|были) (?P<done>[\u0430-\u044fё]+н[\u0430\u043eы]?)",
            rf"(?P<answer>в {_YEAR} году){_REST}",
        ),
    ),
}


def _any_word(*groups: str, before: str = r"\b", after: str = r"\b") -> re.Pattern[str]:
    """A pattern for any of the words, in any case."""
    words = "|".join(word for group in groups for word in group.split())
    return re.compile(f"{before}(?:{words}){after}", re.IGNORECASE)


POINTERS = _any_word(
    r"dies\w* jene\w* es er sie ihr\w* sein\w* man hier da dort alle jede\w* einige viele manche beide was wer wenn",
    r"est[eao]s? es[eao]s? aquel\w* él ella ellos ellas su sus todo\w* cada algun\w* much\w* otr[oa]\w* cuando si",
    r"ce cet cette ces il elle ils elles son sa ses leur\w* tou\w* chaque quelques on ceci cela",
    r"это эт\w+ он она оно они \u0435\u0433\u043e её их так\w* все кажд\w+ некоторые многие",
    before="",
)
OPENERS = _any_word(
    "in im am an auf bei mit nach von seit vor zu en con para por de desde dans avec pour depuis",
    "\u0432 \u043d\u0430 \u0441 для по",
    before="",
)
JOINERS = _any_word(
    "dass daß weil wenn und oder que quien donde porque cuando y e et ou qui dont où и или если что который когда"
)
VERBS = _any_word(
    "ist sind war waren hat haben wird werden wurde wurden kann muss liegt wiegt kostet heißt steht gibt",
    "es son fue fueron era tiene tienen mide pesa está están hay puede se est sont était fut possède compte peut",
    "был была были имеет является",
)
SUPERLATIVES = _any_word(r"\w+ste \w+sten \w+ster \w+stes erste\w* letzte\w* más plus самый самая первый")
VAGUE = _any_word(
    "stadt verein firma unternehmen gerät system anlage gebäude projekt buch autor",
    "ciudad empresa sistema aparato edificio proyecto libro torre",
    "ville société entreprise appareil système bâtiment projet livre город компания система",
    before=r"(?:\w+ )?",
)
ARTICLES = _any_word("der die das ein eine el la los las un una le les une l['’]", before="")
PERSONS = _any_word(
    r"\w*physiker(?:in)? \w*chemiker(?:in)? mathematiker(?:in)? schriftsteller(?:in)? politiker(?:in)?",
    r"komponist(?:in)? maler(?:in)? philosoph(?:in)? ingenieur(?:in)?",
    r"erfinder(?:in)? dichter(?:in)? könig(?:in)? kaiser(?:in)?",
    r"historiker(?:in)? architekt(?:in)? musiker(?:in)? direktor(?:in)? leiter(?:in)? präsident(?:in)? autor(?:in)?",
    r"bürgermeister(?:in)? gründer(?:in)? schauspieler(?:in)? sänger(?:in)? astronom(?:in)? arzt ärztin lehrer(?:in)?",
    "físic[oa] químic[oa] matemátic[oa] escritora? polític[oa] compositora? pintora? filósof[oa] ingenier[oa]",
    "inventora? directora? president[ea] alcalde alcaldesa autora?",
    "fundadora? poeta rey reina historiadora? arquitect[oa]",
    "músic[oa] actor actriz cantante médic[oa] novelista",
    "physicien(?:ne)? chimiste mathématicien(?:ne)? écrivaine? compositeur compositrice peintre philosophe ingénieure?",
    "inventeur directeur directrice présidente? maire auteure? fondateur fondatrice poète roi reine historien(?:ne)?",
    "architecte musicien(?:ne)? acteur actrice médecin",
    r"физик химик математик писатель\w* политик композитор художник философ инженер изобретатель поэт король историк",
)


LONGEST_SUBJECT = 8
LONGEST_ANSWER = 32
_SIGNS = re.compile(r"[,;:()\"„“«»?]")
_WHAT = {
    "de": ("Was", "Wer"),
    "es": ("Qué", "Quién"),
    "fr": ("Qu’est-ce que", "Qui est"),
    "ru": ("Что такое", "Кто такой"),
}


def european_questions(sentence: str, language: str, vocabulary: DocumentVocabulary) -> Iterator[QuestionDraft]:
    """The questions about one sentence."""
    for form in SENTENCE_PATTERNS.get(language, ()):
        found = form.pattern.fullmatch(sentence)
        if found and _is_subject(found["subject"], language):
            answer = found["answer"].partition(";")[0].rstrip()
            if form.family is not QuestionFamily.DEFINITION or _is_definition(found["subject"], answer, language):
                yield QuestionDraft(form.family, _question(form, found, language, vocabulary), answer)
            return


def _is_subject(text: str, language: str) -> bool:
    """Whether a phrase names one specific thing."""
    if not text[0].isupper() or len(text.split()) > LONGEST_SUBJECT or VAGUE.fullmatch(text):
        return False
    if POINTERS.match(text) or OPENERS.match(text):
        return False
    if _SIGNS.search(text) or JOINERS.search(text) or VERBS.search(text):
        return False
    named = all(word[0].isupper() or word[0].isdigit() for word in text.split())
    return named or bool(ARTICLES.match(text)) or language == "ru"


def _is_definition(subject: str, answer: str, language: str) -> bool:
    """Whether a predicate defines its subject; a person is defined only by an occupation."""
    if len(answer.split()) > LONGEST_ANSWER or SUPERLATIVES.search(subject):
        return False
    # "Der Weg ist das ganze Jahr geöffnet": in German a noun phrase ends in a noun, and a noun is capitalised.
    if language == "de" and "," not in answer and answer.rsplit(maxsplit=1)[-1][0].islower():
        return False
    name = not ARTICLES.match(subject) and " " in subject and not any(char.isdigit() for char in subject)
    return not name or _is_person(answer)


def _is_person(text: str) -> bool:
    return bool(PERSONS.search(text.partition(",")[0]))


def _question(form: SentencePattern, found: re.Match[str], language: str, vocabulary: DocumentVocabulary) -> str:
    subject = _inside(found["subject"], vocabulary)
    person = _is_person(found["subject"] if form.family is QuestionFamily.PROPERTY else found["answer"])
    parts = {name: text or "" for name, text in found.groupdict().items()}
    parts |= {"subject": subject, "what": _WHAT[language][person], "which": _which(subject, language, person=person)}
    parts["many"] = _many(parts.get("unit", ""))
    return _agreeing(form.question.format(**parts))


def _many(unit: str) -> str:
    """`Cuántas aldeas`, `Cuántos faros`; no form if the ending is unclear."""
    noun = unit.partition(" ")[0]
    if noun.endswith(("as", "ciones", "siones", "dades", "tudes")):
        return "Cuántas"
    return "Cuántos" if noun.endswith(("os", "ores")) else "Qué cantidad de"


def _which(subject: str, language: str, *, person: bool) -> str:
    """`Quién`, `Cuál`; `Qui`, `Quel`, `Quelle`."""
    if language == "es":
        return "Quién" if person else "Cuál"
    return "Qui" if person else "Quelle" if subject.startswith("la ") else "Quel"


def _inside(subject: str, vocabulary: DocumentVocabulary) -> str:
    """The subject in lower case, if it starts with an article or the document also writes it so."""
    first = subject.partition(" ")[0]
    ordinary = ARTICLES.match(subject) or (first.istitle() and vocabulary.common(first))
    return subject[0].lower() + subject[1:] if ordinary else subject


def _agreeing(question: str) -> str:
    """`que un` → `qu’un`, `de arbres` → `d’arbres`, `Кто такой Анна` → `Кто такая Анна`."""
    question = re.sub(r"(?<=Qu’est-ce )que (?=[aeiouyéèêâAEIOUÉ])", "qu’", question)
    question = re.sub(r"(?<=Combien )de (?=[aeiouyhéèêâ])", "d’", question)
    return re.sub(r"(?<=Кто )такой(?= .*[\u0430я][?])", "такая", question)
