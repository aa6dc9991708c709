"""What learners write, and the cards it makes, each as `line-end kind: front => back` with `|` for a new line."""

import pytest

from studium.cards.notes.page import SYNTAXES
from studium.cards.notes.reader import FINDERS


def cards_of(note):
    return [f"{card.line}-{card.end_line} {card.kind}: {_said(card)}" for card in note.cards]


def _said(card):
    front = card.front.replace("\n", "|")
    return front if card.kind == "cloze" else f"{front} => {card.back}".replace("\n", "|")


CASES = {
    # Q: and A:
    "labels": (
        "Q: What does OSPF flood?\nA: Link-state advertisements.",
        "1-2 basic: What does OSPF flood? => Link-state advertisements.",
    ),
    "two pairs": ("Q: One?\nA: 1\n\nQ: Two?\nA: 2", "1-2 basic: One? => 1\n4-5 basic: Two? => 2"),
    "two pairs without a gap": ("Q: One?\nA: 1\nQ: Two?\nA: 2", "1-2 basic: One? => 1\n3-4 basic: Two? => 2"),
    "a question over two lines": ("Q: What is\nthe answer?\nA: 42", "1-3 basic: What is|the answer? => 42"),
    "an answer over two lines": (
        "Q: Who?\nA: Yes, and\nSo can the answer",
        "1-3 basic: Who? => Yes, and|So can the answer",
    ),
    "a gap before the answer": ("Q: Must it follow at once?\n\nA: No.", "1-3 basic: Must it follow at once? => No."),
    "an answer with a list after a blank line": (
        "Q: Which?\nA: These:\n\n- one\n- two\n\n# Next",
        "1-5 basic: Which? => These:||- one|- two",
    ),
    "an answer with code": (
        "Q: How?\nA:\n```py\nQ: not a card\n\nx = 1\n```\nQ: Next?\nA: Yes",
        "1-7 basic: How? => ```py|Q: not a card||x = 1|```\n8-9 basic: Next? => Yes",
    ),
    "a heading ends an answer": ("Q: a?\nA: b\n## More\ntext", "1-2 basic: a? => b"),
    "a rule ends an answer": ("Q: a?\nA: b\n\n---\n\nOther text", "1-2 basic: a? => b"),
    "an id ends an answer": ("Q: a?\nA: b\n<!--ID: 1566052191670-->\nOther text", "1-2 basic: a? => b"),
    "bold labels": ("**Q:** a?\n**A:** b", "1-2 basic: a? => b"),
    "bold words, colon outside": ("**Question**: a?\n**Answer**: b", "1-2 basic: a? => b"),
    "labels in a list": (
        "- Q: a?\n- A: b\n- Q: c?\n  A: d\n- other item",
        "1-2 basic: a? => b\n3-4 basic: c? => d",
    ),
    "labels in a quote": ("> Q: a?\n> A: b\n> c\n\nafter", "1-3 basic: a? => b|c"),
    "labels need a space": ("Q:a\nA:b", ""),
    "small letters are no labels": ("q: a\na: b", ""),
    # Question::Answer
    "inline": ("What is the capital of France?::Paris", "1-1 basic: What is the capital of France? => Paris"),
    "inline with spaces": ("My question :: My answer", "1-1 basic: My question => My answer"),
    "inline, space behind only": ("My question:: My answer", "1-1 basic: My question => My answer"),
    "inline reversed": ("dog:::Hund", "1-1 reversed: dog => Hund"),
    "inline reversed with spaces": ("My question ::: My answer", "1-1 reversed: My question => My answer"),
    "one word each": ("dog::Hund", "1-1 basic: dog => Hund"),
    "inline in lists": (
        "- a?::b\n  - c?::d\n1. e?::f\n- [ ] g?::h\n> i?::j",
        "1-1 basic: a? => b\n2-2 basic: c? => d\n3-3 basic: e? => f\n4-4 basic: g? => h\n5-5 basic: i? => j",
    ),
    "inline with code on both sides": (
        "What is `a::b`?::A path such as `c::d`",
        "1-1 basic: What is `a::b`? => A path such as `c::d`",
    ),
    "inline with an id": ("a?::b ^1700000000000", "1-1 basic: a? => b"),
    "inline with a schedule": ("a?::b <!--SR:!2024-01-01,3,250-->", "1-1 basic: a? => b"),
    "inline with the card tag": ("a?::b #card", "1-1 basic: a? => b"),
    "a Dataview field": ("due:: 2026-01-01", ""),
    "a Dataview field in brackets": ("Seen [rating:: 5] today\n[status:: done]", "1-1 basic: Seen [rating => 5] today"),
    "C++ names": ("Prefer std::vector to arrays, and call Foo::bar() once.", ""),
    "Rust names": ("Use crate::module::Thing here", ""),
    "IPv6 addresses": ("The loopback is ::1 and fe80::1 is link-local, 2001:db8::/32 for documents", ""),
    "a card about IPv6": (
        "Which address is fe80::1?::Link-local",
        "1-1 basic: Which address is fe80::1? => Link-local",
    ),
    "nothing in front": ("::answer\n:::note", ""),
    "a table": ("| a::b | c |\n|---|---|\n| d::e | f |", ""),
    "four colons": ("a::::b", ""),
    # ? and ??
    "multi-line": ("What is\nOSPF?\n?\nA link-state\nprotocol.", "1-5 basic: What is|OSPF? => A link-state|protocol."),
    "multi-line reversed": ("OSPF\n??\nA protocol", "1-3 reversed: OSPF => A protocol"),
    "a blank line ends a multi-line answer": ("a\n?\nb\n\nc", "1-3 basic: a => b"),
    "a heading over the mark": ("## What is OSPF?\n?\nA protocol.", "1-3 basic: What is OSPF? => A protocol."),
    "multi-line with code": ("a\n?\n```\nx\n\ny\n```\n\nz", "1-7 basic: a => ```|x||y|```"),
    "multi-line with an id": ("a\n?\nb\n^1700000000000", "1-3 basic: a => b"),
    "multi-line in a list's text": ("Name the layers\n?\n- one\n- two", "1-4 basic: Name the layers => - one|- two"),
    # #card
    "a tagged line": (
        "This is the front #card\nThis is the back.\n\nNot part of it.",
        "1-2 basic: This is the front => This is the back.",
    ),
    "a tagged heading": (
        "## This is the front #card\nThis is the back.",
        "1-2 basic: This is the front => This is the back.",
    ),
    "a tagged heading answers with its section": (
        "## Front #card\n\nOne.\n\n- two\n\n### Three\nfour\n\n## Next",
        "1-8 basic: Front => One.||- two||### Three|four",
    ),
    "an id ends a tagged heading": (
        "## Front #card\nBack.\n^1700000000000\n\nNot part of it.",
        "1-2 basic: Front => Back.",
    ),
    "reverse by a nested tag": ("### Front #card/reverse\nBack", "1-2 reversed: Front => Back"),
    "reverse by a hyphen": ("Front #card-reverse\nBack", "1-2 reversed: Front => Back"),
    "the tag below the heading": ("## Another way\n#card\nThe back", "1-3 basic: Another way => The back"),
    "Neuracache": (
        "If you want, it's possible to\nask over two lines #flashcard\nJust one\nparagraph each.",
        "1-4 basic: If you want, it's possible to|ask over two lines => Just one|paragraph each.",
    ),
    "blank lines before the answer": (
        "And, of course #flashcard\n\n\nWhitespace is ignored!",
        "1-4 basic: And, of course => Whitespace is ignored!",
    ),
    "two tagged lines": ("a #card\nb\n\nc #card\nd", "1-2 basic: a => b\n4-5 basic: c => d"),
    "a tag that only begins like it": ("I like #cards and #cardio\nvery much", ""),
    "the tag in code": ("Write `#card` behind it\nand an answer below", ""),
    # clozes
    "Anki's cloze": ("OSPF floods {{c1::LSAs}}.", "1-1 cloze: OSPF floods {{c1::LSAs}}."),
    "Anki's cloze with a hint": (
        "OSPF floods {{c1::LSAs::what?}} to {{c2::all}}.",
        "1-1 cloze: OSPF floods {{c1::LSAs::what?}} to {{c2::all}}.",
    ),
    "a cloze paragraph": (
        "The {{c1::first}} line\nand the second.\n\nOther.",
        "1-2 cloze: The {{c1::first}} line|and the second.",
    ),
    "cloze items are cards of their own": (
        "- {{c1::a}} one\n- {{c1::b}} two\n  more\n- three",
        "1-1 cloze: {{c1::a}} one\n2-3 cloze: {{c1::b}} two|  more",
    ),
    "numbered braces": (
        "The {1:mitochondria} is the {2|powerhouse} of the {c1:cell}.",
        "1-1 cloze: The {{c1::mitochondria}} is the {{c2::powerhouse}} of the {{c1::cell}}.",
    ),
    "numbered braces with a hint": ("It is {1:blue::colour}.", "1-1 cloze: It is {{c1::blue::colour}}."),
    "highlights in a marked paragraph": (
        "The ==sky== is ==blue==. #cloze",
        "1-1 cloze: The {{c1::sky}} is {{c2::blue}}.",
    ),
    "braces in a marked paragraph": ("The {sky} is {blue}. #flashcards", "1-1 cloze: The {{c1::sky}} is {{c2::blue}}."),
    "a note marked in its frontmatter": (
        "---\ntags: [flashcards]\n---\nThe ==sky== is {blue}.",
        "4-4 cloze: The {{c1::sky}} is {{c2::blue}}.",
    ),
    "a note marked by its deck": ("---\ncards-deck: A\n---\nThe ==sky==.", "4-4 cloze: The {{c1::sky}}."),
    "a note marked by a line of tags": ("#flashcards/science\n\nThe ==sky==.", "3-3 cloze: The {{c1::sky}}."),
    "a note marked by its hint": ("---\ncard_type_hint: Cloze\n---\nThe ==sky==.", "4-4 cloze: The {{c1::sky}}."),
    "numbers that are taken are not given again": (
        "The {1:sky} is {blue}. #cloze",
        "1-1 cloze: The {{c1::sky}} is {{c2::blue}}.",
    ),
    "double braces in a marked note": ("#flashcards\n\nThe {{sky}}.", "3-3 cloze: The {{c1::sky}}."),
    "highlights in an ordinary note": ("The ==sky== is {blue}.", ""),
    "a template's braces": ("Created {{date}} for {{title}}", ""),
    "comparisons are no highlights": ("#cloze\n\nif a == b and c == d then", ""),
    "braces in math": ("#cloze\n\nHalf is $\\frac{1}{2}$, and $$\\sum_{i}{x}$$.", ""),
    "braces in code": ("#cloze\n\nWrite `{x}` or `==y==`.", ""),
    "a cloze of code": ("Use {{c1::`git add`}} first.", "1-1 cloze: Use {{c1::`git add`}} first."),
    "a cloze of math": ("Half is {{c1::$\\frac{1}{2}$}}.", "1-1 cloze: Half is {{c1::$\\frac{1}{2}$}}."),
    "a cloze with an id": ("A {{c1::b}}.\n<!--ID: 1566052191670-->", "1-1 cloze: A {{c1::b}}."),
    # START and END
    "a block": (
        "START\nBasic\nThis is a test.\nBack: Test successful!\nEND",
        "3-5 basic: This is a test. => Test successful!",
    ),
    "a block over several lines": (
        "START\nBasic\nOne\ntwo\nBack: Three\n\nfour\nEND",
        "3-8 basic: One|two => Three||four",
    ),
    "a block with both directions": ("START\nBasic (and reversed card)\na\nBack: b\nEND", "3-5 reversed: a => b"),
    "a named first field": ("START\nBasic\nFront: a\nBack: b\nEND", "3-5 basic: a => b"),
    "a cloze block": ("START\nCloze\nThis is a {{c1::test}}.\nEND", "3-4 cloze: This is a {{c1::test}}."),
    "a cloze block in braces": (
        "START\nCloze\nThis is a {test} of {2:two}.\nEND",
        "3-4 cloze: This is a {{c1::test}} of {{c2::two}}.",
    ),
    "an inline block": (
        "Text STARTI [Basic] This is a test. Back: Test successful! ENDI more",
        "1-1 basic: This is a test. => Test successful!",
    ),
    "an inline cloze block": ("- STARTI [Cloze] This is {a cloze}. ENDI", "1-1 cloze: This is {{c1::a cloze}}."),
    "labels inside a block": ("START\nBasic\nQ: x\nBack: A: y\nEND", "3-5 basic: Q: x => A: y"),
    "a block in code": ("```\nSTART\nBasic\na\nBack: b\nEND\n```", ""),
    # callouts
    "a callout": (
        "> [!question] What does OSPF flood?\n> Link-state\n> advertisements.",
        "1-3 basic: What does OSPF flood? => Link-state|advertisements.",
    ),
    "a folded callout": ("> [!faq]- Why?\n> Because.", "1-2 basic: Why? => Because."),
    "an answer callout inside": (
        "> [!question] Why?\n> Think.\n> > [!answer]-\n> > Because.",
        "1-4 basic: Why?|Think. => Because.",
    ),
    "a callout without a title": ("> [!question]\n> Why?\n>\n> Because.", "2-4 basic: Why? => Because."),
    "an answer callout below": (
        "> [!question] Why?\n\n> [!success]- Because\n> of that.",
        "1-4 basic: Why? => Because|of that.",
    ),
    "a callout with code": ("> [!question] How?\n> ```\n> Q: no\n> ```\nafter", "1-4 basic: How? => ```|Q: no|```"),
    "another callout": ("> [!note] Why?\n> Because.", ""),
    # one note, one card
    "yanki": ("---\nnoteId: 1700000000000\n---\nWhat?\n\n---\n\nThat.", "4-8 basic: What? => That."),
    "yanki reversed": ("---\nnoteId: 1\n---\nWhat?\n\n---\n---\n\nThat.", "4-9 reversed: What? => That."),
    "yanki cloze": (
        "---\nnoteId: 1\n---\nThe ~~sky~~ is ~~blue _colour_~~.",
        "4-4 cloze: The {{c1::sky}} is {{c2::blue::colour}}.",
    ),
    "yanki typed": (
        "---\nnoteId: 1\n---\nThe capital of France?\n\n_Paris_",
        "4-6 basic: The capital of France? => Paris",
    ),
    "a note tagged as a card": ("---\ntags: card\n---\nWhat?\n\n---\n\nThat.", "4-8 basic: What? => That."),
    "the heading asks": (
        "---\ntags: [flashcard]\n---\n# What?\n\nThat.\n\nAnd more.",
        "4-8 basic: What? => That.||And more.",
    ),
    "the title asks": ("---\ntitle: What?\ntags: [card]\n---\nThat.", "5-5 basic: What? => That."),
    "the file's name asks": ("---\nfilename_as_question: true\n---\nThat.", "4-4 basic: note => That."),
    "a rule in an ordinary note": ("One.\n\n---\n\nTwo.", ""),
    # inka
    "inka": (
        "Text\n\n---\nDeck: Life\nTags: learning\n\n1. What?\n\n> 42\n\n2. If it {quacks}, it is a {duck}.\n---\nAfter",
        "7-9 basic: What? => 42\n11-11 cloze: If it {{c1::quacks}}, it is a {{c2::duck}}.",
    ),
    "a numbered list between rules": ("---\na: b\n---\n---\n1. one\n> two\n---", ""),
    # what starts nothing
    "a fence": ("```\nQ: a\nA: b\nc::d\ne\n?\nf\n{{c1::g}}\n```", ""),
    "a fence of tildes": ("~~~\nQ: a\nA: b\n~~~", ""),
    "a fence in a fence": ("````md\n```\nQ: a\nA: b\n```\nc::d\n````\ne?::f", "8-8 basic: e? => f"),
    "a fence in a list": ("- item\n  ```\n  Q: a\n  A: b\n  ```\n- c?::d", "6-6 basic: c? => d"),
    "a fence in a quote ends with it": ("> ```\n> Q: a\n\nb?::c", "4-4 basic: b? => c"),
    "indented code": ("Text\n\n    Q: a\n    A: b\n\nend", ""),
    "display math": ("$$\nQ: a\nA: b\nx::y\n$$", ""),
    "a comment": ("<!--\nQ: a\n\nA: b\n-->\nc?::d", "6-6 basic: c? => d"),
    "an Obsidian comment": ("%%\nQ: a\nA: b\n%%", ""),
    "frontmatter": ("---\nQ: a\nA: b\nx: c::d\n---\nText", ""),
    "prices are no math": ("It costs $5?::No, $6", "1-1 basic: It costs $5? => No, $6"),
    # every text
    "emoji": ("🦊 What does the fox say? 🦊::🎵", "1-1 basic: 🦊 What does the fox say? 🦊 => 🎵"),
    "Arabic": ("ما هي عاصمة فرنسا؟::باريس", "1-1 basic: ما هي عاصمة فرنسا؟ => باريس"),
    "Hebrew labels": ("Q: מה זה?\nA: זה.", "1-2 basic: מה זה? => זה."),
    "CRLF": ("Q: a?\r\nA: b\r\n\r\nc?::d\r\n", "1-2 basic: a? => b\n4-4 basic: c? => d"),
    "CR": ("Q: a?\rA: b\r", "1-2 basic: a? => b"),
    "BOM": ("\ufeffQ: a?\nA: b", "1-2 basic: a? => b"),
    "tabs": ("-\tQ: a?\n\tA: b", "1-2 basic: a? => b"),
    "plain prose": ("# A note\n\nWith a question? And an answer: yes.\n\n- a: b\n- c", ""),
}


@pytest.mark.parametrize("case", CASES)
def test_a_note_makes_these_cards(read, case):
    text, expected = CASES[case]
    assert cards_of(read(text)) == expected.splitlines()


def test_what_one_syntax_has_found_no_other_finds_again(read):
    note = read("Q: What is `std`?\nA: a::b, {{c1::c}} and ==d== #cloze\n\ne #card\nf::g")
    assert [card.syntax for card in note.cards] == ["labelled", "tagged"]


def test_a_syntax_can_be_switched_off(read):
    text = "a?::b\n\nQ: c?\nA: d"
    assert [card.syntax for card in read(text, syntaxes=frozenset({"labelled"})).cards] == ["labelled"]


def test_bare_clozes_everywhere_or_nowhere(read):
    assert cards_of(read("The ==sky==.", bare_clozes="always")) == ["1-1 cloze: The {{c1::sky}}."]
    assert not read("The ==sky==. #cloze", bare_clozes="never").cards


def test_the_file_name_asks_where_the_option_says_so(read):
    note = read("# Heading\n\nThat.", "deep/What is that?.md", filename_as_question=True)
    assert cards_of(note) == ["1-3 basic: What is that? => # Heading||That."]


def test_every_note_is_a_card_where_the_option_says_so(read):
    assert cards_of(read("What?\n\n---\n\nThat.", one_note_one_card=True)) == ["1-5 basic: What? => That."]
    assert cards_of(read("a?::b\n\n---\n\nc", one_note_one_card=True)) == ["1-1 basic: a? => b"]


def test_labels_in_russian(read):
    note = """\
Вопрос: Почему?
Ответ: Потому.
"""
    assert cards_of(read(note)) == ["1-2 basic: Почему? => Потому."]


def test_every_syntax_that_can_be_chosen_is_there():
    assert tuple(FINDERS) == SYNTAXES
