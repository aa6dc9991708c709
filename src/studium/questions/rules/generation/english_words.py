"""English word lists for the generator: function words, vague nouns, occupations, verbs and quantities."""

import re


def _word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


DETERMINERS = _word_set("the a an")
PREPOSITIONS = _word_set(
    "across after against among around at before behind between beyond by during for from in inside into near of "
    "on onto outside over per through to under via with within without"
)
POINTERS = _word_set(
    "above aforementioned below following former he her here hers him his i it its latter me mine my next our "
    "ours previous same she such that their theirs them there these they this those us we you your yours"
)
QUANTIFIERS = _word_set(
    "all another any both certain each either every few less many more most much neither no none one other others "
    "several some various"
)
JOINERS = _word_set(
    "also although as because but even how if just nor not once only since so than then though thus unless until "
    "what when where whereas whether which while who whom whose why yet"
)
AUXILIARIES = _word_set(
    "am are be been being can cannot could did do does had has have is may might must shall should was were will would"
)
# These take a whole clause after them: "the court held the patent is invalid".
CLAUSAL = _word_set(
    "argue argued argues assume assumed assumes believe believed believes claim claimed claims concluded "
    "concludes determine determined determines ensure ensures explained explains find finds found given held hold "
    "holds implied implies imply indicate indicated indicates knew know knows let made make makes mean means "
    "meant note noted notes observed observes provided recall report reported reports said saw say says see show "
    "showed shown shows stated states suggest suggested suggests suppose think thinks thought"
)
# Not even a heading says which one is meant.
TOO_GENERAL = _word_set(
    "answer difference example first idea issue kind last list main name number part parts point problem question "
    "reason rest result results second solution step steps system text thing things third time type value way "
    "words"
)
VAGUE = TOO_GENERAL | _word_set(
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
_PLURALS = _word_set("bacteria children criteria data feet men mice people series species teeth women")
SHORTEST_PLURAL = 4


def is_plural(word: str) -> bool:
    """`bones`, `people`; not `bus`, `class`, `axis`."""
    lower = word.lower()
    if lower in _PLURALS:
        return True
    return len(lower) >= SHORTEST_PLURAL and lower.endswith("s") and not lower.endswith(("ss", "us", "is"))


def _forms(pairs: str) -> dict[str, str]:
    """Each form with its base; a single form is its own base."""
    return {pair.split()[0]: pair.split()[-1] for pair in pairs.split(", ")}


def _verb_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


BE = frozenset({"is", "are", "was", "were"})
MODAL = frozenset({"must", "shall", "should"})
PRESENT = _forms(
    "has have, contains contain, includes include, comprises comprise, supports support, provides provide, uses "
    "use, offers offer, needs need, covers cover, holds hold, spans span, employs employ, serves serve, hosts "
    "host, produces produce, generates generate, operates operate, receives receive, stores store, weighs weigh, "
    "costs cost, takes take, lasts last, measures measure, consists consist, defines define, deals deal, stands "
    "stand, carries carry, accepts accept, owns own, runs run, sells sell, emits emit, requires require"
)
PLURAL_PRESENT = {base: base for base in PRESENT.values()}
PAST = _forms(
    "had have, began begin, became become, bought buy, built build, left leave, lost lose, met meet, sold sell, "
    "sent send, spent spend, took take, won win, wrote write, died die, paid pay, gave give, drew draw, flew fly, "
    "rose rise, fell fall, ran run, struck strike, granted grant, awarded award, affirmed affirm, reversed "
    "reverse, filed file, issued issue, denied deny, dismissed dismiss, appealed appeal, ruled rule, signed sign, "
    "adopted adopt, approved approve, published publish, discovered discover, invented invent, founded found, "
    "established establish, created create, designed design, developed develop, introduced introduce, proposed "
    "propose, released release, launched launch, opened open, closed close, completed complete, started start, "
    "ended end, joined join, moved move, acquired acquire, merged merge, received receive, earned earn, raised "
    "raise, donated donate, invested invest, patented patent, painted paint, composed compose, directed direct, "
    "produced produce, described describe, announced announce, declared declare, abolished abolish, married "
    "marry, retired retire, resigned resign, graduated graduate, arrived arrive, landed land, erupted erupt, "
    "collapsed collapse, expired expire, isolated isolate, demonstrated demonstrate, visited visit, killed kill, "
    "employed employ, contained contain, included include, measured measure, weighed weigh, lasted last, cost, "
    "entered enter, defeated defeat, conquered conquer, formulated formulate, coined coin, standardized "
    "standardize, replaced replace, reached reach, sank sink, amended amend, saved save, hosted host, delivered "
    "deliver, finished finish, stopped stop, hired hire, elected elect, appointed appoint, sued sue, tested test, "
    "recorded record, renamed rename, moored moor, carried carry"
)
# What a person or an organisation does, so that "who" is the right word for either.
AGENTIVE = _verb_set(
    "acquired built coined composed created delivered described designed developed directed discovered established "
    "formulated founded introduced invented isolated launched painted patented proposed published released wrote"
)
PARTICIPLE_TO_PAST = {"written": "wrote", "drawn": "drew", "built": "built", "won": "won", "sold": "sold"}
_PARTICIPLES = _verb_set(
    "begun born bought built cut drawn fought found given held known laid lost made put sent set shot sold split "
    "struck taken taught won written"
)
SHORTEST_PARTICIPLE = 5


def is_participle(word: str) -> bool:
    """`founded`, `built`: what follows `was` in a passive."""
    return (len(word) >= SHORTEST_PARTICIPLE and word.endswith("ed")) or word in _PARTICIPLES


_WORDS = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    r"|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?"
)
_DIGITS = r"[-\u2212+]?\d+(?:[.,]\d+)*"
_ABOUT = (
    r"(?:about|approximately|around|roughly|nearly|almost|over|more than|less than|fewer than|at least|at most|up to"
    r"|exactly|only)"
)
NUMBER = rf"(?:{_DIGITS}(?: ?(?:to|–|-) ?{_DIGITS})?|{_WORDS})(?: (?:hundred|thousand|million|billion|trillion))?"
AMOUNT = rf"(?:{_ABOUT} )?{NUMBER}"
MEASURE = rf"{AMOUNT}[ -]?(?:[^\W\d_]+|[%°]\w?|[µμ]\w)(?:/\w+)?(?: per \w+)?"
MONEY = (
    rf"(?:{_ABOUT} )?(?:[$€£¥] ?\d+(?:[.,]\d+)*(?: (?:thousand|million|billion|trillion))?"
    rf"|{NUMBER} (?:dollars|euros|pounds|yen))"
)
# A character of a phrase without an enumeration or another clause.
PLAIN = r"(?:(?! and | or )[^,;:])"
_ENUMERATION = re.compile(r"[^,;:]{2,60}(?:, [^,;:]{2,60}){1,8},? and [^,;:]{2,60}")
_CLAUSE_INSIDE = re.compile(r"\b(?:is|are|was|were|has|have|had|which|that|who|it|they|because|when|if)\b")


def is_enumeration(text: str) -> bool:
    """`A, B, and C`, without a clause among its items."""
    return bool(_ENUMERATION.fullmatch(text)) and not _CLAUSE_INSIDE.search(text)
