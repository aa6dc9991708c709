from evaluation.cards import is_empty, score_syntaxes, score_vault

GOLD = {"kind": "basic", "front": "Which metal is liquid?", "back": "Mercury", "deck": "Metals", "tags": ["hg"]}
NOTE = "#hg\n\nQ: Which metal is liquid?\nA: **Mercury**\n"


def test_only_notes_with_exactly_the_expected_cards_count(write, material):
    write("cards/syntaxes/Chemistry/Metals/right.md", NOTE)
    write("cards/syntaxes/Chemistry/Metals/back.md", NOTE.replace("Mercury", "Gallium"))
    write("cards/syntaxes/Chemistry/deck.md", NOTE)
    write("cards/syntaxes/extra.md", "Q: Which metal is red?\nA: Copper\n")
    write("cards/syntaxes/plain.md", "Buy copper.\n")
    names = ("Chemistry/Metals/right.md", "Chemistry/Metals/back.md", "Chemistry/deck.md")
    expected = [{"note": name, "grammar": "ours", "cards": [GOLD]} for name in names]
    nothing = [{"note": name, "grammar": "none", "cards": []} for name in ("extra.md", "plain.md")]
    write("cards/syntaxes/expected.json", [*expected, *nothing])

    score = score_syntaxes(material("cards"))

    assert score.figures == {"right": 2, "of": 5}
    assert [case.split(":")[0] for case in score.wrong] == [*names[1:], "extra.md"]


def test_the_needed_options_are_switched_on(write, material):
    write("cards/syntaxes/one.md", "Which metal is liquid?\n\n---\n\nMercury\n")
    write("cards/syntaxes/curly.md", "The liquid metal is {mercury}.\n")
    one = {**GOLD, "deck": None, "tags": []}
    curly = {**one, "kind": "cloze", "front": "The liquid metal is {{c1::mercury}}.", "back": ""}
    expected = [
        {"note": "one.md", "grammar": "ours", "setting": "one note, one card", "cards": [one]},
        {"note": "curly.md", "grammar": "ours", "setting": "CurlyCloze", "cards": [curly]},
    ]
    write("cards/syntaxes/expected.json", expected)
    assert score_syntaxes(material("cards")).figures == {"right": 2, "of": 2}
    write("cards/syntaxes/expected.json", [{**each, "setting": ""} for each in expected])
    assert score_syntaxes(material("cards")).figures == {"right": 0, "of": 2}


def test_a_vault_is_planned_and_its_cards_are_counted(write, material):
    write("cards/vault/good.md", "Q: Which gas do plants take in?\nA: Carbon dioxide, through small pores.\n")
    write(
        "cards/vault/title.md",
        "# Question\n\nWhat is osmosis?\n\n# Answer\n\n**Definition**\n\n**Examples**\n\nRoots drink.\n",
    )
    write("cards/vault/shopping.md", "Buy bread.\n")
    figures = score_vault(material("cards")).figures
    assert figures["notes"] == 3
    assert figures["with_card"] + figures["reviews"] == 2
    assert figures["empty_backs"] == 1
    assert sorted(path.name for path in material("cards").folder.rglob("*.md")) == [
        "good.md",
        "shopping.md",
        "title.md",
    ]


def test_a_back_without_text_or_with_an_empty_title_is_empty():
    empty = ("", "---", "## Uses", "**Uses:**", "Well.\n\n**Uses**", "**Uses**\n\n---\n\n**Usos**", "## A\n## B\ntext")
    full = (
        "text",
        "+",
        "## A\n### B\ntext",
        "**A**\n1. one",
        "**A** and **B**",
        "```\n# code\n```",
        "**A**\n```\nx\n```",
        None,
    )
    assert [back for back in empty if not is_empty(back)] == []
    assert [back for back in full if is_empty(back)] == []
