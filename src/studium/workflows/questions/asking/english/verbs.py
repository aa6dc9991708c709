"""The verbs whose forms the rules know: they ask `did … find` only where they are sure of `find`."""


def _forms(pairs: str) -> dict[str, str]:
    """Each form with its base; a form that stands alone is its own base."""
    return {pair.split()[0]: pair.split()[-1] for pair in pairs.split(", ")}


def _set(words: str) -> frozenset[str]:
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
AGENTIVE = _set(
    "acquired built coined composed created delivered described designed developed directed discovered established "
    "formulated founded introduced invented isolated launched painted patented proposed published released wrote"
)
PARTICIPLE_TO_PAST = {"written": "wrote", "drawn": "drew", "built": "built", "won": "won", "sold": "sold"}
_PARTICIPLES = _set(
    "begun born bought built cut drawn fought found given held known laid lost made put sent set shot sold split "
    "struck taken taught won written"
)
SHORTEST_PARTICIPLE = 5


def is_participle(word: str) -> bool:
    """`founded`, `built`: what follows `was` in a passive."""
    return (len(word) >= SHORTEST_PARTICIPLE and word.endswith("ed")) or word in _PARTICIPLES
