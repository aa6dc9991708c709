"""Real answers are long: Back carries the essential part, whole pieces of it, and Extra the whole answer."""

import re
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cards.pipeline import NOTES, Pipeline, actions, fields
from tests.cards.vault import long_notes, written

from studium.cards.rules.answer_blocks import list_heads
from studium.cards.rules.mapping import RULE, short_front
from studium.cards.rules.summarise import summarise_answer
from studium.cards.state import CardPolicy
from studium.core.domain.decision import Action
from studium.core.text.sentences import leading_sentences, split_sentences


async def test_long_notes_end_as_cards_and_not_in_review(tmp_path):
    notes = list(long_notes(120))
    assert 3500 < median(length for _, length in notes) < 5500
    pipeline = Pipeline(tmp_path)
    decided = [card for text, _ in notes for card in await pipeline.cards(text)]
    created = [card for card in decided if card.decision.action is Action.CREATE]
    assert len(created) / len(decided) >= 0.95
    assert sum(card.score for card in decided) / len(decided) > 0.85
    for card in created:
        assert len(fields(card)["Back"]) <= 1200
        assert fields(card)["Back"] != fields(card)["Extra"]


@pytest.mark.parametrize("path", sorted(NOTES.glob("*.md")), ids=lambda path: path.stem)
async def test_every_hand_written_note_becomes_cards(pipeline, path):
    cards = await pipeline.cards(path.read_text())
    assert set(actions(cards)) == {"create"}
    assert all(card.evidence for card in cards)


@pytest.mark.parametrize("answer", [each.opening + "\n\n" + "\n\n".join(each.sections) for each in written()])
@pytest.mark.parametrize("limit", [150, 400, 1200])
def test_nothing_is_cut_in_half(answer, limit):
    chosen = summarise_answer(answer, limit)
    assert len(chosen.text) <= limit
    assert chosen.text.count("```") % 2 == 0
    blocks = set(re.findall(r"```.*?```", answer, re.DOTALL))
    assert set(re.findall(r"```.*?```", chosen.text, re.DOTALL)) <= blocks
    tables = set(re.findall(r"(?:^\|.*\n?)+", answer + "\n", re.MULTILINE))
    assert {t.strip() for t in re.findall(r"(?:^\|.*\n?)+", chosen.text, re.MULTILINE)} <= {t.strip() for t in tables}
    for quote in chosen.quotes:
        assert quote in answer, "chosen, never reworded"
        assert not quote.rstrip().endswith((",", ";")), "no half sentence"


async def test_the_lead_its_list_and_nothing_from_further_down(pipeline):
    card = await pipeline.card(
        """\
        # Question
        What does a liveness probe decide?

        ## Answer
        It decides whether the container is **restarted**.

        Key points:

        - It must not depend on other services. A database that is down would restart all.
        - It runs every `periodSeconds`.

        ### Details
        """
        + "        The kubelet runs the probe on the node of the pod. " * 40
    )
    assert fields(card)["Back"] == (
        "It decides whether the container is **restarted**.\n\nKey points:\n\n"
        "- It must not depend on other services. A database that is down would restart all.\n"
        "- It runs every `periodSeconds`."
    )
    assert "The kubelet runs the probe" in fields(card)["Extra"]


async def test_a_list_too_long_for_the_back_keeps_the_heads_of_its_items(tmp_path):
    items = "\n".join(f"- **Point {n}** says this. " + f"And detail {n} goes on and on. " * 12 for n in range(1, 5))
    card = await Pipeline(tmp_path, CardPolicy(max_back_chars=300)).card(
        f"# Question\nWhich points does the lead make?\n\n## Answer\nThe lead makes four points.\n\n{items}\n"
    )
    assert fields(card)["Back"] == (
        "The lead makes four points.\n\n- **Point 1** says this.\n- **Point 2** says this.\n- **Point 3** says this.\n"
        "- **Point 4** says this."
    )


async def test_sections_are_the_key_points_where_the_opening_lists_none(tmp_path):
    filler = "More about it follows here. " * 20
    card = await Pipeline(tmp_path, CardPolicy(max_back_chars=300)).card(
        "# Question\nWhen do you rebase and when do you merge?\n\n"
        "## Answer\nRebase your own work, merge shared work.\n\n"
        f"### Rebase\nRebase before a review. {filler}\n\n### Merge\nMerge what others have. {filler}\n"
    )
    assert fields(card)["Back"] == (
        "Rebase your own work, merge shared work.\n\n**Rebase**\n\nRebase before a review.\n\n**Merge**\n\n"
        "Merge what others have."
    )


async def test_the_snippet_that_a_question_asks_for_is_on_the_back(tmp_path):
    snippet = "```python\nwith open(path) as file:\n    read(file)\n```"
    lead = "A context manager does it. " + "More about it follows here. " * 30
    card = await Pipeline(tmp_path, CardPolicy(max_back_chars=300)).card(
        f"# Question\nShow the code that opens and reads a file.\n\n## Answer\n{lead}\n\n### How\n\n{snippet}\n"
    )
    assert fields(card)["Back"].startswith("A context manager does it.")
    assert fields(card)["Back"].endswith(snippet)


async def test_an_answer_of_which_no_part_fits_whole_goes_to_a_person(tmp_path):
    code = "```python\n" + "print('never in half')\n" * 30 + "```"
    card = await Pipeline(tmp_path, CardPolicy(max_back_chars=300)).card(
        f"# Question\nHow is it printed thirty times?\n\n## Answer\n{code}\n"
    )
    assert card.decision.action is Action.MANUAL_REVIEW
    assert card.decision.messages == ("Field `Back` is required and empty.",)


def test_one_long_paragraph_gives_its_first_sentences():
    text = "The first sentence stands. The second does too. " + "Then it goes on. " * 30
    assert summarise_answer(text, 60).text == "The first sentence stands. The second does too."


async def test_an_answer_of_one_endless_paragraph_becomes_a_card_too(pipeline):
    facts = " ".join(f"In the year {1900 + n} the **{n}th** router was built in a factory." for n in range(60))
    card = await pipeline.card(f"# Question\nWhen were routers built in a factory?\n\n# Answer\n{facts}\n")
    assert card.decision.action is Action.CREATE
    assert fields(card)["Back"].endswith(" was built in a factory.")
    assert fields(card)["Extra"] == facts


def test_a_picture_is_not_the_lead():
    text = "![[ring.png]]\n\nA ring has no ends.\n\n" + "More follows here. " * 20
    assert summarise_answer(text, 60).text.startswith("A ring has no ends.")


def test_what_is_nested_under_an_item_is_not_its_head():
    text = "1. **Scope**: owns its children:\n   - GlobalScope\n   - our own\n2. **Job** can be\n   cancelled. More.\n"
    assert list_heads(text) == ("1. **Scope**: owns its children", "2. **Job** can be\n   cancelled.")


async def test_a_front_too_long_is_reduced_to_its_question_and_kept_whole_in_extra(pipeline):
    story = (
        "A router has two routes to the same prefix. One was learned by OSPF and one by RIP, both are valid, and the "
    )
    story += "administrative distances are the defaults. The link to the RIP neighbour is faster by far."
    question = "Which of the two routes does the router install, the OSPF or the RIP one?"
    card = await pipeline.card(f"# Question\n{story} {question}\n\n# Answer\nThe OSPF route: its distance is 110.\n")
    assert card.decision.action is Action.CREATE
    assert fields(card)["Front"] == question
    assert fields(card)["Extra"] == f"{story} {question}"


@pytest.mark.parametrize(
    "front",
    [
        "A sentence that does not end and goes on " * 8,
        "A router has two routes to a prefix. " * 8
        + "Which does it use?"
        + " And what happens to the other one then?" * 6,
        "A mutex is held by a thread that waits for another mutex. " * 5 + "Why is this bad?",
    ],
    ids=["no question", "the question itself is too long", "a question that needs its story"],
)
async def test_a_front_that_cannot_be_shortened_by_choosing_goes_to_a_person(pipeline, front):
    card = await pipeline.card(f"# Question\n{front}\n\n# Answer\nThe second thread waits for the first one.\n")
    assert card.decision.action is Action.MANUAL_REVIEW
    assert "at most 200 are allowed" in card.decision.messages[0]
    assert fields(card)["Front"] == front.strip()


def test_code_that_a_front_shows_does_not_make_it_too_long():
    code = "```python\n" + "x = compute(x)\n" * 20 + "```"
    front = f"What does this code print?\n\n{code}"
    assert short_front(front, 100) == front
    story = "We measured it on three machines and the figures were the same on each of them. " * 2
    assert short_front(f"{story}\n\n{code}\n\nHow often does the code call `compute`?", 100) == (
        f"How often does the code call `compute`?\n\n{code}"
    )


async def test_a_long_front_stays_where_short_fronts_are_not_enforced(tmp_path):
    front = "Why is it so that " + "the one thing follows from the other and " * 6 + "nothing else does?"
    card = await Pipeline(tmp_path, CardPolicy(enforce_short_front=False)).card(
        f"# Question\n{front}\n\n# Answer\nX.\n"
    )
    assert fields(card)["Front"] == front
    assert card.decision.schema_validation.valid


async def test_a_long_cloze_text_keeps_the_paragraphs_that_hide_something(tmp_path):
    policy = CardPolicy(max_front_chars=20, max_back_chars=60)
    card = await Pipeline(tmp_path, policy).card(
        "START\nCloze\nText: OSPF floods {{c1::LSAs}} in its area.\n\nThis paragraph hides nothing and is long.\n"
        "\nAnd this one hides nothing either.\nEND\n"
    )
    assert fields(card)["Text"].startswith("OSPF floods {{c1::LSAs}} in its area.")
    assert "This paragraph hides nothing" in fields(card)["Extra"]


SECTIONS = """\
    # Question
    What is a coroutine?

    ## Answer
    A computation that can be suspended.

    ### Cancellation
    Cancellation is cooperative: a coroutine must check for it, which every suspending function does.

    ### Dispatchers
    A dispatcher decides on which threads a coroutine runs; the default has one for each core.

    ### References
    - The Kotlin documentation, chapter on coroutines, and the design document of the feature itself.
    """


async def test_a_card_for_each_section_asks_the_question_in_context(tmp_path):
    cards = await Pipeline(tmp_path, CardPolicy(card_per_section=True)).cards(SECTIONS)
    assert actions(cards) == ["create"] * 3
    assert [fields(card)["Front"] for card in cards] == [
        "What is a coroutine?",
        "What is a coroutine? — Cancellation",
        "What is a coroutine? — Dispatchers",
    ]
    assert fields(cards[2])["Back"].startswith("A dispatcher decides")
    assert cards[1].card_id.startswith("a-")
    assert len({card.card_id for card in cards}) == 3


async def test_a_sections_card_keeps_its_id_while_the_heading_stays(tmp_path):
    pipeline = Pipeline(tmp_path, CardPolicy(card_per_section=True))
    before = await pipeline.cards(SECTIONS)
    more = "### Scopes\n    A scope owns its coroutines and waits for every one of them before it ends itself.\n\n    "
    after = await pipeline.cards(SECTIONS.replace("### Cancellation", f"{more}### Cancellation"))
    assert len(after) == len(before) + 1
    kept = {fields(card)["Front"]: card.card_id for card in after}
    assert all(kept[fields(card)["Front"]] == card.card_id for card in before)


async def test_sections_of_the_same_name_are_cards_of_their_own(tmp_path):
    twice = SECTIONS.replace("### References", "### Cancellation")
    cards = await Pipeline(tmp_path, CardPolicy(card_per_section=True)).cards(twice)
    assert len({card.card_id for card in cards}) == 4


async def test_sections_in_two_languages_are_joined_one_by_one(tmp_path):
    text = (NOTES / "q-tcp-handshake.md").read_text().replace("### Watching it", "### Cost in figures", 1)
    unequal = await Pipeline(tmp_path, CardPolicy(card_per_section=True)).cards(text)
    assert len(unequal) == 1, "English has a section more: nobody knows which belong together"
    start, end = text.index("### Cost in figures"), text.index("### Cost\n")
    cards = await Pipeline(tmp_path, CardPolicy(card_per_section=True)).cards(text[:start] + text[end:])
    assert actions(cards) == ["create"] * 4
    english, russian = fields(cards[2])["Front"].split(RULE)
    assert english.endswith("— Half-open connections")
    assert russian.endswith("— Полуоткрытые соединения")
    assert cards[3].evidence[0].quote == "Cost"


async def test_one_section_alone_is_no_card_of_its_own(tmp_path):
    text = SECTIONS.partition("    ### Dispatchers")[0]
    assert len(await Pipeline(tmp_path, CardPolicy(card_per_section=True)).cards(text)) == 1


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It uses TCP, e.g. port 179. It is slow.", ["It uses TCP, e.g. port 179. ", "It is slow."]),
        ("См. рис. 3. Дальше напр. так.", ["См. рис. 3. ", "Дальше напр. так."]),
        ("Call `a. B` now. Then stop!", ["Call `a. B` now. ", "Then stop!"]),
        ("`launch` starts. `async` waits.", ["`launch` starts. ", "`async` waits."]),
        ("It costs $1. 5$ a day. J. Doe said so.", ["It costs $1. 5$ a day. ", "J. Doe said so."]),
        ("犬がいる。猫もいる。", ["犬がいる。", "猫もいる。"]),
        ("No end here", ["No end here"]),
        ("", []),
    ],
)
def test_sentences_end_where_they_end(text, sentences):
    assert split_sentences(text, markdown=True, keep_spaces=True) == sentences


@given(st.text(alphabet="aB .!?`$(\n)ж1", max_size=80), st.integers(0, 80))
def test_sentences_lose_nothing_and_keep_the_limit(text, limit):
    assert "".join(split_sentences(text, markdown=True, keep_spaces=True)) == text
    assert len(leading_sentences(text, limit, markdown=True)) <= limit


@given(st.text(alphabet="ab.:\n#-*|`> 1", max_size=300), st.integers(1, 200))
def test_any_text_gives_an_essence_within_the_limit(text, limit):
    assert len(summarise_answer(text, limit, "what is ab").text) <= max(limit, 0)
