"""Which question in a note is which card: stories of what people do to their notes."""

import re
from collections.abc import Iterable
from time import process_time

import pytest

from studium.cards.models import CardSource, Marker
from studium.cards.sync.match import KnownCard, content_key, front_key, match_cards, new_card_id
from studium.core.text.html import visible_text

OSPF = """
Q: What does OSPF stand for?
A: Open Shortest Path First.
Q: How does OSPF elect a designated router?
A: The highest priority wins, then the highest router id.
Q: Which areas does every OSPF network have?
A: The backbone, area 0.
"""
TCP = """
Q: How many segments does a TCP handshake take?
A: Three: SYN, SYN-ACK and ACK.
Q: What does a TCP receiver do with a duplicate segment?
A: It drops the segment and acknowledges again.
"""


def read(vault: dict[str, str]) -> list[tuple[str, CardSource]]:
    """The `Q:`/`A:` pairs of notes; `^st-…` behind an answer is our marker, `^` and digits another tool's."""
    found = []
    for path, text in vault.items():
        for match in re.finditer(r"Q: (.*)\nA: (.*?)(?: \^(st-)?([\w-]+))?$", text, re.MULTILINE):
            tool = "studium" if match[3] else "flashcards_obsidian"
            marker = Marker(tool=tool, value=match[4], line=1) if match[4] else None
            line = text.count("\n", 0, match.start()) + 1
            found.append((path, source(match[1], match[2], marker=marker, line=line)))
    return found


def source(front: str, back: str = "", *, marker: Marker | None = None, line: int = 1) -> CardSource:
    return CardSource(kind="basic", syntax="q", front=front, back=back, line=line, end_line=line + 1, marker=marker)


def learned(vault: dict[str, str]) -> list[KnownCard]:
    """The vault's cards after a first sync, named `path:order`."""
    orders: dict[str, int] = {}
    cards = []
    for number, (path, each) in enumerate(read(vault)):
        order = orders[path] = orders.get(path, -1) + 1
        cards.append(
            KnownCard(
                card_id=f"{path}:{order}",
                anki_id=1000 + number,
                path=path,
                order=order,
                front_key=front_key(each.front),
                content_key=content_key(each),
                front=each.front,
                back=each.back,
            )
        )
    return cards


def recognised(before: dict[str, str], after: dict[str, str]) -> list[str | None]:
    matching = match_cards(read(after), learned(before))
    assert not matching.findings
    return matching.card_ids


OSPF_IDS = ["ospf.md:0", "ospf.md:1", "ospf.md:2"]


def test_nothing_changed():
    matching = match_cards(read({"ospf.md": OSPF}), learned({"ospf.md": OSPF}))
    assert matching.card_ids == OSPF_IDS
    assert matching.how == ["content"] * 3
    assert not matching.missing


def test_a_note_is_renamed():
    assert recognised({"ospf.md": OSPF}, {"protocols/Link state.md": OSPF}) == OSPF_IDS


def test_a_note_is_moved_while_another_of_the_same_content_stays():
    before = {"ospf.md": OSPF, "old/copy.md": OSPF}
    after = {"ospf.md": OSPF, "new/copy.md": OSPF}
    assert recognised(before, after) == [*OSPF_IDS, "old/copy.md:0", "old/copy.md:1", "old/copy.md:2"]


def test_cards_are_reordered():
    pairs = OSPF.strip().split("Q: ")[1:]
    shuffled = "".join(f"Q: {pair.strip()}\n" for pair in (pairs[2], pairs[0], pairs[1]))
    assert recognised({"ospf.md": OSPF}, {"ospf.md": shuffled}) == ["ospf.md:2", "ospf.md:0", "ospf.md:1"]


def test_a_note_is_split():
    first, second = OSPF[: OSPF.index("Q: Which")], OSPF[OSPF.index("Q: Which") :]
    assert recognised({"ospf.md": OSPF}, {"ospf.md": first, "areas.md": second}) == OSPF_IDS


def test_two_notes_are_merged():
    before = {"ospf.md": OSPF, "tcp.md": TCP}
    assert recognised(before, {"net.md": TCP + OSPF}) == ["tcp.md:0", "tcp.md:1", *OSPF_IDS]


def test_an_answer_is_edited():
    after = {"ospf.md": OSPF.replace("Open Shortest Path First.", "Open Shortest Path First, RFC 2328.")}
    assert recognised({"ospf.md": OSPF}, after) == OSPF_IDS


def test_an_answer_is_replaced():
    after = {"ospf.md": OSPF.replace("Open Shortest Path First.", "See the RFC.")}
    assert recognised({"ospf.md": OSPF}, after) == OSPF_IDS


def test_a_question_is_edited():
    after = {"ospf.md": OSPF.replace("What does OSPF stand for?", "Spell out the acronym OSPF!")}
    assert recognised({"ospf.md": OSPF}, after) == OSPF_IDS


def test_question_and_answer_are_edited():
    after = {
        "ospf.md": OSPF.replace("How does OSPF elect", "By which rule does OSPF elect").replace(
            "highest priority wins", "highest interface priority wins"
        )
    }
    assert recognised({"ospf.md": OSPF}, after) == OSPF_IDS


def test_a_question_is_edited_while_its_note_is_renamed():
    after = {"link-state.md": OSPF.replace("How does OSPF elect", "By which rule does OSPF elect")}
    assert recognised({"ospf.md": OSPF}, after) == OSPF_IDS


def test_all_questions_are_edited_while_the_note_is_moved_to_another_folder():
    after = {"protocols/ospf.md": OSPF.replace("?", " today?")}
    assert recognised({"ospf.md": OSPF}, after) == OSPF_IDS


def test_a_note_of_one_card_is_renamed_and_edited():
    before = {"mtu.md": "Q: How large is the MTU of Ethernet?\nA: 1500 bytes, without header and checksum."}
    after = {"Ethernet.md": "Q: How large is the usual MTU of Ethernet?\nA: 1500 bytes, without header and checksum."}
    assert recognised(before, after) == ["mtu.md:0"]


def test_two_questions_are_swapped_and_one_of_them_edited():
    before = {"tcp.md": TCP}
    pairs = TCP.strip().split("Q: ")[1:]
    after = {"tcp.md": f"Q: {pairs[1].strip()}\nQ: {pairs[0].strip()}".replace("How many segments", "How many packets")}
    assert recognised(before, after) == ["tcp.md:1", "tcp.md:0"]


def test_one_question_is_edited_and_its_neighbour_deleted():
    """The first was deleted, the second edited to resemble the first as well: the answer tells which it is."""
    before = {
        "a.md": "Q: How large is an IPv4 header without options?\nA: Twenty octets, five words.\n"
        "Q: How large is an IPv6 header without extensions?\nA: Forty octets, always fixed.\n"
    }
    after = {"a.md": "Q: How large is an IPv6 header without options?\nA: Forty octets, always fixed."}
    matching = match_cards(read(after), learned(before))
    assert matching.card_ids == ["a.md:1"]
    assert [card.card_id for card in matching.missing] == ["a.md:0"]


def test_the_best_pairing_is_not_the_greedy_one():
    """The first new question resembles both old ones; taken greedily, the second would find nobody."""
    before = {
        "a.md": "Q: alpha beta gamma delta epsilon\nA: \nQ: alpha beta gamma delta omega\nA: \n",
    }
    after = {"a.md": "Q: alpha beta gamma delta zeta epsilon\nA: \nQ: alpha epsilon beta kappa\nA: \n"}
    matching = match_cards(read(after), learned(before))
    assert matching.card_ids == ["a.md:1", "a.md:0"]
    assert not matching.missing


def test_another_question_of_the_same_form_is_a_new_card():
    before = {"net.md": "Q: What is the MTU?\nA: The largest frame that a link carries."}
    after = {"net.md": "Q: What is the TTL?\nA: How many hops a packet may take."}
    matching = match_cards(read(after), learned(before))
    assert matching.card_ids == [None]
    assert matching.how == ["new"]
    assert [card.card_id for card in matching.missing] == ["net.md:0"]


def test_the_same_short_answer_does_not_make_the_same_card():
    before = {"net.md": "Q: Does UDP retransmit lost datagrams?\nA: No"}
    after = {"net.md": "Q: Can bridges form loops unnoticed?\nA: No"}
    assert recognised(before, after) == [None]


def test_the_same_question_in_two_notes_stays_with_its_note():
    before = {"a.md": "Q: What is it?\nA: A bridge of wood.", "b.md": "Q: What is it?\nA: A gate of iron."}
    after = {"b.md": "Q: What is it?\nA: A gate of steel.", "a.md": "Q: What is it?\nA: A bridge of stone."}
    assert recognised(before, after) == ["b.md:0", "a.md:0"]


def test_the_same_question_twice_in_one_note_goes_by_the_answer():
    before = {"a.md": "Q: What is it?\nA: A bridge of old wood.\nQ: What is it?\nA: A gate of cast iron.\n"}
    after = {"a.md": "Q: What is it?\nA: A gate of cast steel.\nQ: What is it?\nA: A bridge of old stone.\n"}
    assert recognised(before, after) == ["a.md:1", "a.md:0"]


def test_a_question_is_moved_to_another_note_and_its_answer_rewritten():
    before = {"a.md": OSPF, "b.md": TCP}
    moved = "Q: What does OSPF stand for?\nA: RFC 2328 says it.\n"
    after = {
        "a.md": OSPF.replace("Q: What does OSPF stand for?\nA: Open Shortest Path First.\n", ""),
        "b.md": TCP + moved,
    }
    assert recognised(before, after) == ["a.md:1", "a.md:2", "b.md:0", "b.md:1", "a.md:0"]


class TestMarkers:
    def test_our_id_outweighs_everything(self):
        before = {"ospf.md": OSPF}
        after = {"x.md": "Q: Something else entirely?\nA: Indeed. ^st-card7"}
        known = [*learned(before), KnownCard("card7", 7, "y.md", 0, "", "", "")]
        matching = match_cards(read(after), known)
        assert matching.card_ids == ["card7"]
        assert matching.how == ["marker"]

    def test_another_tool_s_id_names_the_note_in_anki(self):
        known = [KnownCard("card7", 1700000000000, "", 0, "", "", "")]
        matching = match_cards(read({"x.md": "Q: New words?\nA: Indeed. ^1700000000000"}), known)
        assert matching.card_ids == ["card7"]
        assert matching.how == ["foreign marker"]

    def test_a_copied_id_stays_with_the_original(self):
        original = "Q: What is a LAN?\nA: A local network. ^st-lan"
        known = [KnownCard("lan", 7, "a.md", 0, "", content_key(source("What is a LAN?", "A local network.")), "")]
        copy = "Q: What is a WAN?\nA: A wide network. ^st-lan"
        matching = match_cards(read({"0.md": copy, "a.md": original}), known)
        assert matching.card_ids == [None, "lan"]
        assert [(finding.code, str(finding.where)) for finding in matching.findings] == [
            ("card.copied_marker", "0.md:1")
        ]

    def test_an_id_that_only_the_note_remembers_is_kept(self):
        """The database is lost and the card was deleted in Anki."""
        note = "Q: a?\nA: b ^st-lost\nQ: c?\nA: d ^st-lost"
        assert match_cards(read({"x.md": note}), []).card_ids == ["lost", None]

    def test_a_forgotten_id_makes_no_second_card_of_a_known_content(self):
        known = learned({"x.md": "Q: What is a LAN?\nA: A local network."})
        note = "Q: What is a LAN?\nA: A local network. ^st-forgotten"
        assert match_cards(read({"x.md": note}), known).card_ids == ["x.md:0"]


class TestLostDatabase:
    """All that is known is what stands in Anki: our id and the rendered fields."""

    @staticmethod
    def in_anki(cards: Iterable[tuple[str, str]]) -> list[KnownCard]:
        return [
            KnownCard(card_id, 1, "", 0, front_key(visible_text(html)), "", visible_text(html))
            for card_id, html in cards
        ]

    @pytest.mark.parametrize(
        ("markdown", "html"),
        [
            ("What does **OSPF** stand for?", "<p>What does <strong>OSPF</strong> stand for?</p>"),
            ("What is `List<String>`?", "<p>What is <code>List&lt;String&gt;</code>?</p>"),
            ("Is $a < b$ or $b \\le a$?", "<p>Is \\(a &lt; b\\) or \\(b \\le a\\)?</p>"),
            ("See [[OSPF|the protocol]] and [RFC](https://x.y/z)", 'See <a href="o">the protocol</a> and <a>RFC</a>'),
            ("==Paris== is the capital", "{{c1::Paris}} is the capital"),
            ("{{c1::Paris::city}} is the capital", "{{c1::Paris::city}} is the capital"),
            ("{1:Paris} is the capital", "{{c1::Paris}} is the capital"),
            ("> What is C#?\n> And C++?", "<blockquote><p>What is C#?<br>And C++?</p></blockquote>"),
            ("Name it:\n- one\n- two", "<p>Name it:</p><ul><li>one</li><li>two</li></ul>"),
            ("Кто это?\n![[photo.png|300]]", '<p>Кто это?<br><img src="studium-1.png" width="300"></p>'),
        ],
    )
    def test_a_question_is_recognised_by_its_words(self, markdown, html):
        matching = match_cards([("a.md", source(markdown))], self.in_anki([("x", "Other?"), ("y", html)]))
        assert matching.card_ids == ["y"]

    def test_a_card_is_recognised_by_its_first_content(self):
        """The question was edited in Anki, so its words differ; the id still tells what the card was made of."""
        note = source("What is a LAN?", "A local network.")
        known = self.in_anki([(new_card_id(note), "<p>edited beyond recognition</p>")])
        assert match_cards([("a.md", note)], known).card_ids == [new_card_id(note)]

    def test_an_edited_question_is_recognised_too(self):
        known = self.in_anki([("x", "How does OSPF elect a designated router on a broadcast link?")])
        note = source("By what does OSPF elect the designated router on a broadcast link?")
        assert match_cards([("a.md", note)], known).card_ids == ["x"]


class TestDoubt:
    def test_of_two_that_fit_equally_none_is_given_up(self):
        known = [
            KnownCard(
                "one",
                1,
                "old/a.md",
                0,
                front_key("What is it?"),
                content_key(source("What is it?", "x")),
                "What is it?",
            ),
            KnownCard(
                "two",
                2,
                "old/b.md",
                0,
                front_key("What is it?"),
                content_key(source("What is it?", "x")),
                "What is it?",
            ),
        ]
        matching = match_cards([("new/c.md", source("What is it?", "x", line=4))], known)
        assert matching.card_ids == ["one"]
        assert matching.missing == ()
        assert [card.card_id for card in matching.contested] == ["two"]
        assert [(finding.code, str(finding.where)) for finding in matching.findings] == [
            ("card.ambiguous", "new/c.md:4")
        ]

    def test_the_next_run_knows(self):
        """By then the chosen card has the new path, and the other one is simply gone."""
        key = content_key(source("What is it?", "x"))
        known = [
            KnownCard("one", 1, "new/c.md", 0, "", key, "What is it?"),
            KnownCard("two", 2, "old/b.md", 0, "", key, "What is it?"),
        ]
        matching = match_cards([("new/c.md", source("What is it?", "x"))], known)
        assert matching.card_ids == ["one"]
        assert [card.card_id for card in matching.missing] == ["two"]

    def test_of_two_that_ask_the_same_elsewhere_neither_is_taken_or_given_up(self):
        known = learned({"a.md": "Q: What is it?\nA: A bridge.\n" + OSPF, "b.md": "Q: What is it?\nA: A gate.\n" + TCP})
        after = read({"a.md": OSPF, "b.md": TCP, "c.md": "Q: What is it?\nA: Nothing of the kind."})
        matching = match_cards(after, known)
        assert matching.card_ids[-1] is None
        assert {card.card_id for card in matching.contested} == {"a.md:0", "b.md:0"}
        assert matching.missing == ()

    def test_one_of_two_identical_cards_of_a_note_is_removed(self):
        twice = "Q: What is it?\nA: A gate.\n" * 2
        matching = match_cards(read({"a.md": twice[: len(twice) // 2]}), learned({"a.md": twice}))
        assert matching.card_ids == ["a.md:0"]
        assert [card.card_id for card in matching.missing] == ["a.md:1"]


def test_cards_of_notes_that_were_not_read_are_neither_taken_nor_missing():
    known = learned({"ospf.md": OSPF})
    matching = match_cards(read({"copy.md": OSPF}), known, settled={"ospf.md"})
    assert matching.card_ids == [None] * 3
    assert matching.missing == ()


def test_nothing_known_and_nothing_asked():
    assert match_cards([], []).card_ids == []
    assert [card.card_id for card in match_cards([], learned({"tcp.md": TCP})).missing] == ["tcp.md:0", "tcp.md:1"]


class TestNewIds:
    def test_two_computers_agree(self):
        one, other = source("What is **it**?", "A gate."), source("what is  it?", "A gate.\n", line=9)
        assert new_card_id(one) == new_card_id(other)
        assert re.fullmatch("[0-9a-f]{12}", new_card_id(one))

    def test_a_second_identical_card_is_distinguished(self):
        card = source("What is it?", "A gate.")
        first = new_card_id(card)
        assert new_card_id(card, {first}) == f"{first}-2"
        assert new_card_id(card, {first, f"{first}-2"}) == f"{first}-3"

    def test_other_content_has_another_id(self):
        ids = {
            new_card_id(source("What is it?", "A gate.")),
            new_card_id(source("What is it?", "A bridge.")),
            new_card_id(source("What is", "it? A gate.")),
            new_card_id(source("What is it?", "A gate.").model_copy(update={"extra": "Of iron."})),
        }
        assert len(ids) == 4


def test_keys_tell_symbols_apart():
    assert front_key("What is C?") != front_key("What is C++?")
    assert front_key("What is C?") != front_key("What is C#?")
    assert front_key("a == b?") != front_key("a != b?")
    assert front_key("  ") == ""
    assert front_key("![[a.png]]") != front_key("![[b.png]]")


def test_a_large_vault_is_matched_in_no_time():
    """5,000 notes of three cards, one in a hundred cards edited; the bound is loose, since the machine may be busy."""
    vault = {
        f"folder{number % 40}/note{number}.md": "".join(
            f"Q: Question {part} about topic{number} of area{number % 7}?\nA: Answer {number * 3 + part} is this.\n"
            for part in range(3)
        )
        for number in range(5000)
    }
    known, sources = learned(vault), read(vault)
    edited = [
        (path, each.model_copy(update={"front": "A new wording: " + each.front}) if number % 100 == 0 else each)
        for number, (path, each) in enumerate(sources)
    ]
    started = process_time()
    matching = match_cards(edited, known)
    assert process_time() - started < 3
    assert matching.card_ids == [card.card_id for card in known]
