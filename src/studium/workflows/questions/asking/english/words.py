"""Closed word classes of English, and the nouns that say too little or name an occupation."""

import re


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


DETERMINERS = _set("the a an")
PREPOSITIONS = _set(
    "across after against among around at before behind between beyond by during for from in inside into near of "
    "on onto outside over per through to under via with within without"
)
POINTERS = _set(
    "above aforementioned below following former he her here hers him his i it its latter me mine my next our "
    "ours previous same she such that their theirs them there these they this those us we you your yours"
)
QUANTIFIERS = _set(
    "all another any both certain each either every few less many more most much neither no none one other others "
    "several some various"
)
JOINERS = _set(
    "also although as because but even how if just nor not once only since so than then though thus unless until "
    "what when where whereas whether which while who whom whose why yet"
)
AUXILIARIES = _set(
    "am are be been being can cannot could did do does had has have is may might must shall should was were will would"
)
# These take a whole clause after them: "the court held the patent is invalid".
CLAUSAL = _set(
    "argue argued argues assume assumed assumes believe believed believes claim claimed claims concluded "
    "concludes determine determined determines ensure ensures explained explains find finds found given held hold "
    "holds implied implies imply indicate indicated indicates knew know knows let made make makes mean means "
    "meant note noted notes observed observes provided recall report reported reports said saw say says see show "
    "showed shown shows stated states suggest suggested suggests suppose think thinks thought"
)
# Nothing tells which one is meant, not even a heading.
HOPELESS = _set(
    "answer difference example first idea issue kind last list main name number part parts point problem question "
    "reason rest result results second solution step steps system text thing things third time type value way "
    "words"
)
VAGUE = HOPELESS | _set(
    "advantage appendix approach article author authors case chapter claim claims company conclusion court "
    "defendant device disadvantage document field figure goal group invention method opinion option page paper "
    "patent people person place plaintiff process project purpose section study table team user users"
)
ROLES = re.compile(
    r"\b(?:physicist|chemist|biologist|mathematician|scientist|engineer|inventor|writer|author|novelist|poet|composer|"
    r"musician|singer|actor|actress|director|painter|artist|sculptor|architect|philosopher|historian|economist|lawyer|"
    r"judge|politician|president|king|queen|emperor|general|officer|explorer|astronomer|programmer|developer|professor|"
    r"teacher|physician|doctor|nurse|psychologist|footballer|player|businessman|businesswoman|entrepreneur|founder|"
    r"journalist|activist|monk|saint|pope|bishop|pioneer|statesman|geologist|linguist|logician|cryptographer|botanist|"
    r"naturalist|theologian|athlete|coach|captain|senator|minister|chancellor|prince|princess|researcher|scholar|son|"
    r"daughter|brother|sister|wife|husband|attorney|photographer|dramatist|playwright|critic|surgeon)\b"
)
_PLURALS = _set("bacteria children criteria data feet men mice people series species teeth women")
SHORTEST_PLURAL = 4


def is_plural(word: str) -> bool:
    """`bones`, `people`; not `bus`, `class`, `axis`."""
    lower = word.lower()
    if lower in _PLURALS:
        return True
    return len(lower) >= SHORTEST_PLURAL and lower.endswith("s") and not lower.endswith(("ss", "us", "is"))
