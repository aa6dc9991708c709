"""English questions for who does what, what something is, what is said, and what must be done."""

from collections.abc import Iterator

from studium.core.text.english.tree import ParsedText, Word
from studium.core.text.word_pieces import is_known_word
from studium.questions.rules.generation.asking import (
    ask,
    comes_alone,
    conjunction,
    draft,
    further_verbs,
    how_much,
    is_person,
    is_telling,
    looks_like_a_name,
    subject_text,
)
from studium.questions.rules.generation.clauses import Clause, decapitalised, lowered, third_person, trimmed
from studium.questions.rules.generation.english_words import word_list
from studium.questions.rules.generation.facts import QuestionDraft, QuestionFamily

_DUTIES = ("must", "should", "shall")
_SHORTEST_DUTY = 3
_SHORTEST_DEFINITION = 3
_SETTINGS = ("among", "at", "during", "for", "in", "on", "under", "within")
_AGREES = {"are": "is", "were": "was"}
_SAYING = word_list("saying")
_IDIOMS = word_list("idioms")
_REMARKS = word_list("remarks")
_EVALUATIONS = word_list("evaluations")
_LIGHT = word_list("light")
_PERSONS = word_list("persons")
# `Algeria is a member of the union`: states and companies are that, too.
_HUMAN = _PERSONS - {"contributor", "leader", "member", "pioneer", "representative"}
_PREDICATES = ("VERB", "AUX", "ADJ")
_MEASURES = word_list("measures")
_VAGUE = word_list("vague")
_SELECTED = word_list("selected")
_DONE_BY_PEOPLE = word_list("done_by_people")
_PAST = {"written": "wrote", "drawn": "drew", "built": "built", "won": "won", "sold": "sold", "led": "led"}


def ask_definition(clause: Clause) -> Iterator[QuestionDraft]:
    """`X is the Y that …` → What is X?; and for `X is the only Y of Z` → What is the only Y of Z?"""
    tree, predicate, subject, be = clause.tree, clause.predicate, clause.subject, clause.copula
    if be is None or subject is None or clause.is_negated or clause.modal:
        return
    if predicate.pos == "VERB" and (mark := tree.child(predicate, "mark")) is not None and mark.lower == "to":
        yield from _aim(clause, be)
    if predicate.pos not in ("NOUN", "PROPN", "NUM"):
        return
    if len(clause.auxiliaries) > 1 or be.index > predicate.index or tree.child(predicate, "case"):
        return
    kept = trimmed(tree, predicate) - tree.subtree(subject) - {be.index} - clause.dropped
    # `… is an amniote and does not need water`: only the first says what it is.
    verbs = [word for word in tree.children(predicate, "conj") if word.pos in ("VERB", "AUX")]
    kept -= {index for word in (*clause.fronted, *verbs) for index in tree.subtree(word)}
    answer = tree.text_of(kept)
    is_human = predicate.lemma.lower() in _HUMAN
    asked = "Who" if is_human and subject.pos == "PROPN" else "What"
    valued = _is_defined_value(tree, subject)
    if valued or (len(answer.split()) >= _SHORTEST_DEFINITION and not _is_remark(tree, predicate)):
        yield from draft(
            QuestionFamily.DEFINITION, _with_time(clause, f"{asked} {be.lower} {subject_text(clause)}"), answer
        )
    determiner = tree.child(predicate, "det")
    if (
        determiner is not None
        and determiner.lower == "the"
        and is_telling(tree, predicate)
        and (subject.pos == "PROPN" or is_telling(tree, subject))
        and predicate.lemma not in _REMARKS
    ):
        rest = lowered(tree, kept)
        name = tree.text_of(trimmed(tree, subject))
        if len(rest.split()) > len(name.split()):
            verb = _AGREES.get(be.lower, be.lower) if predicate.tag in ("NN", "NNP") else be.lower
            yield from draft(QuestionFamily.NAME, _with_time(clause, f"{asked} {verb} {rest}"), name)


def ask_apposition(clause: Clause) -> Iterator[QuestionDraft]:
    """`Ida Brandt, a Danish geologist, discovered tarnite.` → Who was Ida Brandt? – A Danish geologist."""
    tree, subject = clause.tree, clause.subject
    said = subject and tree.child(subject, "appos")
    if subject is None or said is None or subject.tag not in ("NNP", "NN") or tree.child(subject, "conj"):
        return
    determiner = tree.child(said, "det")
    telling = is_telling(tree, said) and not _is_remark(tree, said)
    if determiner is None or determiner.lower not in ("a", "an", "the") or not telling:
        return
    is_human = said.lemma.lower() in _HUMAN
    verb = "was" if is_human and clause.predicate.tag == "VBD" else "is"
    name = lowered(tree, trimmed(tree, subject))
    answer = tree.text_of(trimmed(tree, said))
    yield from draft(QuestionFamily.DEFINITION, f"{'Who' if is_human else 'What'} {verb} {name}?", answer)


def _is_remark(tree: ParsedText, predicate: Word) -> bool:
    """Whether `X is an essential building block` says something of X, but not what it is."""
    praised = any(word.lemma in _EVALUATIONS for word in tree.children(predicate, "amod", "advmod"))
    return praised or predicate.lemma in _REMARKS or predicate.lemma == "one" or not tree.children(predicate)


def _aim(clause: Clause, be: Word) -> Iterator[QuestionDraft]:
    """`The purpose of the project is to create a system.` → What is the purpose of the project?"""
    tree, subject = clause.tree, clause.subject
    if subject is not None and is_telling(tree, subject):
        kept = tree.subtree(clause.predicate) - tree.subtree(subject) - {be.index} - clause.dropped
        kept -= {index for word in clause.fronted for index in tree.subtree(word)}
        yield from draft(QuestionFamily.DEFINITION, f"What {be.lower} {subject_text(clause)}?", tree.text_of(kept))


def _with_time(clause: Clause, question: str) -> str:
    """A definition with what was said before it."""
    for word in clause.fronted:
        case = clause.tree.child(word, "case")
        is_setting = case is not None and case.lower in _SETTINGS
        if is_setting or conjunction(clause.tree, word) in ("if", "when"):
            question += " " + lowered(clause.tree, clause.tree.subtree(word) - clause.dropped)
    return question + "?"


def _is_defined_value(tree: ParsedText, subject: Word) -> bool:
    """`The default value of X is 3`: what has one value."""
    determiner = tree.child(subject, "det")
    return determiner is not None and determiner.lower == "the" and is_telling(tree, subject)


def ask_name(clause: Clause) -> Iterator[QuestionDraft]:
    """`The program is called dpkg.` → What is the program called?"""
    wanted = ("xcomp", "obj", "obl") if clause.predicate.lemma == "know" else ("xcomp", "obj")
    name = clause.tree.child(clause.predicate, *wanted)
    if (
        clause.is_passive
        and clause.predicate.lemma in ("call", "name", "know")
        and name is not None
        and not clause.is_negated
    ):
        case = clause.tree.child(name, "case")
        if clause.predicate.lemma == "know" and (case is None or case.lemma != "as"):
            return
        without = {name.index}
        said = clause.tree.text_of(trimmed(clause.tree, name) - ({case.index} if case else set()))
        asked = clause.question("What", frozenset(without), subject=subject_text(clause))
        if clause.predicate.lemma == "know":
            asked = asked.removesuffix("?") + " as?"
        yield from draft(QuestionFamily.NAME, asked, said)


def ask_doer(clause: Clause) -> Iterator[QuestionDraft]:
    """`The csrf_exempt decorator disables it.` → Which decorator disables it? – The csrf_exempt decorator."""
    tree, subject = clause.tree, clause.subject
    if subject is None or clause.is_negated or clause.predicate.pos not in _PREDICATES or not clause.complements:
        return
    if clause.predicate.lemma in ("call", "name", "know", "entitle"):
        return
    asked = _which(tree, subject)
    if clause.predicate.pos == "ADJ" and subject.pos in ("NOUN", "PROPN") and tree.child(subject, "det") is None:
        asked = asked or "What"
    if asked:
        yield from draft(QuestionFamily.NAME, clause.predicate_question(asked), tree.text_of(trimmed(tree, subject)))


def _which(tree: ParsedText, noun: Word) -> str:
    """The words that ask for a noun: `Who`, `Which decorator`, `What`; empty where none would be natural."""
    determiner = tree.child(noun, "det")
    if noun.pos == "PRON" or (determiner and determiner.lower != "the") or tree.child(noun, "conj"):
        return ""
    if is_person(tree, noun):
        named = tree.children(noun, "compound", "flat", "nmod:desc", "nmod:poss", "nmod")
        return "Who" if noun.pos == "PROPN" or named else ""
    if noun.lemma in _VAGUE or not is_known_word(noun.lemma):
        return ""
    names = [
        word
        for word in tree.children(noun, "compound", "flat", "nmod:desc", "appos")
        if word.pos in ("PROPN", "X", "SYM", "NUM")
    ]
    if noun.pos == "NOUN" and (names or tree.children(noun, "compound")):
        return f"Which {decapitalised(noun)}"
    return "What" if noun.tag == "NN" and tree.children(noun, "nmod") else ""


def ask_agent(clause: Clause) -> Iterator[QuestionDraft]:
    """`The framework is provided by the package vcd.` → What provides the framework?"""
    if clause.predicate.lemma in _DONE_BY_PEOPLE:
        return
    for word in clause.complements:
        if (
            clause.is_passive
            and word.relation == "obl:agent"
            and word.pos in ("NOUN", "PROPN")
            and not clause.is_negated
        ):
            case = clause.tree.children(word, "case")
            asked = "Who" if is_person(clause.tree, word) or looks_like_a_name(clause.tree, word) else "What"
            question = _active(clause, asked, word)
            answer = clause.tree.text_of(trimmed(clause.tree, word) - {each.index for each in case})
            yield from draft(QuestionFamily.NAME, question, answer.removeprefix("by "))


def ask_object(clause: Clause) -> Iterator[QuestionDraft]:
    """`A control file contains the name of the package.` → What does a control file contain?"""
    tree = clause.tree
    for word in clause.complements:
        if word.relation != "obj" or clause.is_negated or word.pos not in ("NOUN", "PROPN", "NUM", "SYM", "X"):
            continue
        number = tree.child(word, "nummod")
        if number is not None and word.tag in ("NNS", "NNPS"):
            yield from _how_many(clause, word, number)
            continue
        if how_much(clause, word) or f"{clause.predicate.lemma}_{word.lemma}" in _IDIOMS:
            continue
        if clause.predicate.lemma in _LIGHT and len((*clause.complements, *clause.fronted)) == 1:
            continue
        asked = "Who" if is_person(tree, word) else "What"
        yield from draft(QuestionFamily.FACT, ask(clause, asked, word), tree.text_of(trimmed(tree, word)))


def _how_many(clause: Clause, noun: Word, number: Word) -> Iterator[QuestionDraft]:
    """`It has four stages.` → How many stages does it have?"""
    tree = clause.tree
    if noun.lemma in _MEASURES or tree.children(noun, "case", "conj"):
        return
    counted = tree.subtree(number)
    near = {word.index for word in tree.children(noun, "advmod", "det") if word.index < number.index}
    rest = trimmed(tree, noun) - counted - near
    answer = tree.text_of(counted | near | {noun.index})
    if noun == clause.subject:
        yield from draft(QuestionFamily.NUMBER, clause.predicate_question(f"How many {tree.text_of(rest)}"), answer)
    else:
        yield from draft(QuestionFamily.NUMBER, ask(clause, f"How many {tree.text_of(rest)}", noun), answer)


def ask_count(clause: Clause) -> Iterator[QuestionDraft]:
    """`Six people were hurt.` → How many people were hurt?"""
    subject = clause.subject
    if subject is not None and subject.tag in ("NNS", "NNPS") and not clause.is_negated:
        number = clause.tree.child(subject, "nummod")
        determiner = clause.tree.child(subject, "det")
        if number is not None and determiner is None:
            yield from _how_many(clause, subject, number)


def ask_statement(clause: Clause) -> Iterator[QuestionDraft]:
    """`The court held that …` → What did the court hold?"""
    tree = clause.tree
    for word in clause.complements:
        if (
            word.is_("ccomp")
            and clause.predicate.lemma in _SAYING
            and not clause.is_negated
            and tree.child(word, "nsubj", "expl")
        ):
            answer = tree.text_of(
                tree.subtree(word) - {mark.index for mark in tree.children(word, "mark") if mark.lemma == "that"}
            )
            yield from draft(QuestionFamily.STATEMENT, ask(clause, "What", word), f"that {answer}")


def ask_duty(clause: Clause) -> Iterator[QuestionDraft]:
    """`Maintainers must answer reports within a week.` → What must maintainers do?"""
    if clause.modal not in _DUTIES or clause.is_passive or clause.predicate.pos != "VERB" or clause.subject is None:
        return
    if any(word.lower in ("be", "have") for word in clause.auxiliaries) or clause.predicate.lemma == "have":
        return
    conditions = [
        word
        for word in (*clause.fronted, *clause.complements)
        if conjunction(clause.tree, word) in ("if", "when", "unless", "before", "after")
    ]
    outside = frozenset(word.index for word in (*conditions, *clause.fronted))
    done = clause.verb_phrase(outside).replace("not ", "", 1) if clause.is_negated else clause.verb_phrase(outside)
    if len(done.split()) < _SHORTEST_DUTY:
        return
    rest = "".join(
        f" {lowered(clause.tree, clause.tree.subtree(word) - clause.dropped)}"
        for word in (*clause.fronted, *(each for each in conditions if each not in clause.fronted))
    )
    negated = "not " if clause.is_negated else ""
    yield from draft(QuestionFamily.DUTY, f"What {clause.modal} {subject_text(clause)} {negated}do{rest}?", done)


def ask_prepositional_object(clause: Clause) -> Iterator[QuestionDraft]:
    """`A header consists of three parts.` → What does a header consist of?"""
    tree = clause.tree
    for word in clause.complements:
        case = tree.child(word, "case")
        if case is None and word.tag == "VBG":
            case = tree.child(word, "mark")
        if not word.is_("obl", "advcl") or case is None or word.pos == "PRON" or clause.is_negated:
            continue
        if not comes_alone(clause, word):
            continue
        if f"{clause.predicate.lemma}_{case.lower}" in _SELECTED and len(tree.children(word, "case")) <= 1:
            question = f"{ask(clause, 'What', word).removesuffix('?')} {case.lower}?"
            answer = tree.text_of(trimmed(tree, word) - {case.index})
            yield from draft(QuestionFamily.FACT, question, answer)


def ask_property(clause: Clause) -> Iterator[QuestionDraft]:
    """`Tarnite has a melting point of 1210 °C.` → What is the melting point of tarnite?"""
    tree, noun = clause.tree, clause.tree.child(clause.predicate, "obj")
    value = noun and tree.child(noun, "nmod")
    if clause.predicate.lemma != "have" or clause.is_negated or clause.modal or noun is None or value is None:
        return
    case, determiner = tree.child(value, "case"), tree.child(noun, "det")
    if case is None or case.lower != "of" or determiner is None or determiner.lower not in ("a", "an"):
        return
    own = {word.index for word in tree.children(noun, "compound", "amod")} | {noun.index}
    if any(tree.words[index].pos == "NUM" for index in tree.subtree(noun)):
        amount = tree.subtree(noun) - own - {case.index, determiner.index}
        question = f"What is the {tree.text_of(own)} of {subject_text(clause)}?"
        yield from draft(QuestionFamily.PROPERTY, question, tree.text_of(amount))


def ask_who(clause: Clause) -> Iterator[QuestionDraft]:
    """`Ida Brandt discovered tarnite.`, `It was discovered by Ida Brandt.` → Who discovered …?"""
    tree, subject, predicate = clause.tree, clause.subject, clause.predicate
    if subject is None or clause.is_negated or predicate.lemma not in _DONE_BY_PEOPLE:
        return
    if not clause.is_passive:
        if subject.pos == "PROPN" and looks_like_a_name(tree, subject) and tree.child(predicate, "obj"):
            yield from draft(
                QuestionFamily.NAME, clause.predicate_question("Who"), tree.text_of(trimmed(tree, subject))
            )
        return
    for word in clause.complements:
        if word.relation == "obl:agent" and word.pos == "PROPN":
            case = {each.index for each in tree.children(word, "case")}
            yield from draft(
                QuestionFamily.NAME, _active(clause, "Who", word), tree.text_of(trimmed(tree, word) - case)
            )


def _active(clause: Clause, asked: str, agent: Word) -> str:
    """A passive clause as a question for its doer: `Who founded it?`; empty if the form of the verb is unknown."""
    verb, first = clause.predicate, clause.auxiliaries[0]
    if first.tag == "MD":
        done = f"{first.lower} {verb.lemma}"
    elif first.lower in ("is", "are"):
        done = third_person(verb.lemma)
    elif first.lower in ("was", "were"):
        done = verb.lower if verb.text.endswith("ed") else _PAST.get(verb.lower, "")
    else:
        done = ""
    if not done or clause.inner:
        return ""
    rest = clause.verb_phrase(frozenset({agent.index}) | further_verbs(clause)).removeprefix(verb.text)
    return " ".join(f"{asked} {done} {subject_text(clause)} {rest}".split()) + "?"
