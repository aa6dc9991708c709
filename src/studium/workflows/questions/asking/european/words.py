"""Words that tell whether a phrase names one thing, of all these languages at once: they rarely clash."""

import re


def _any(*groups: str, before: str = r"\b", after: str = r"\b") -> re.Pattern[str]:
    """Any of the words, in whatever case."""
    words = "|".join(word for group in groups for word in group.split())
    return re.compile(f"{before}(?:{words}){after}", re.IGNORECASE)


POINTERS = _any(
    r"dies\w* jene\w* es er sie ihr\w* sein\w* man hier da dort alle jede\w* einige viele manche beide was wer wenn",
    r"est[eao]s? es[eao]s? aquel\w* él ella ellos ellas su sus todo\w* cada algun\w* much\w* otr[oa]\w* cuando si",
    r"ce cet cette ces il elle ils elles son sa ses leur\w* tou\w* chaque quelques on ceci cela",
    r"это эт\w+ он она оно они \u0435\u0433\u043e её их так\w* все кажд\w+ некоторые многие",
    before="",
)
OPENERS = _any(
    "in im am an auf bei mit nach von seit vor zu en con para por de desde dans avec pour depuis",
    "\u0432 \u043d\u0430 \u0441 для по",
    before="",
)
JOINERS = _any(
    "dass daß weil wenn und oder que quien donde porque cuando y e et ou qui dont où и или если что который когда"
)
VERBS = _any(
    "ist sind war waren hat haben wird werden wurde wurden kann muss liegt wiegt kostet heißt steht gibt",
    "es son fue fueron era tiene tienen mide pesa está están hay puede se est sont était fut possède compte peut",
    "был была были имеет является",
)
SUPERLATIVES = _any(r"\w+ste \w+sten \w+ster \w+stes erste\w* letzte\w* más plus самый самая первый")
VAGUE = _any(
    "stadt verein firma unternehmen gerät system anlage gebäude projekt buch autor",
    "ciudad empresa sistema aparato edificio proyecto libro torre",
    "ville société entreprise appareil système bâtiment projet livre город компания система",
    before=r"(?:\w+ )?",
)
ARTICLES = _any("der die das ein eine el la los las un una le les une l['’]", before="")
PERSONS = _any(
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
