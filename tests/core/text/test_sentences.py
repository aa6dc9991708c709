"""A sentence ends where a reader would say it ends."""

import time

from hypothesis import given
from hypothesis import strategies as st

from studium.core.text.sentences import first_sentence, leading_sentences, sentence_spans, split_sentences

PROSE = (
    # Abbreviations that something follows, and those that may end a sentence.
    "It uses TCP, e.g. port 179. | It is slow.",
    "Mr. and Mrs. Bennet met Dr. Grant. | Prof. Lee came late.",
    "He said i.e. that is. | See cf. Plato, The Republic.",
    "IOS expects the mask in dotted form, e.g. 255.255.255.0. | A prefix such as /24 is refused.",
    "Apple Inc. was founded in 1976. | It is in Cupertino.",
    "She works for Acme Corp. | The firm grew.",
    "See Smith et al. (2001) for this. | Jones et al. Found it later.".replace("Found", "found"),
    "Routers, switches, etc. are devices. | They forward packets, frames, etc. | The rest is wiring.",
    "The U.S. Army came to the U.S. | It stayed until 5 p.m. Monday.",
    "Brown v. Board of Education was decided in 1954. | It was unanimous.",
    "A router with priority 0 never becomes DR. | An elected DR stays until it fails.",
    # What a number follows.
    "It is No. 5 of them. | I said no. | He left.",
    "See Fig. 3 and pp. 12-14. | Then read vol. II and sec. 4.1. | Stop there.",
    "On Jan. 5 it rained. | In Dec. 1999 it snowed.",
    "This is modern art. | Nobody liked it.",
    # Initials, units, letters.
    "J. R. R. Tolkien wrote it. | C. S. Lewis read it.",
    "Vitamin C. | It helps.",
    "Choose plan B. | The other failed.",
    "Water boils at 100 °C. | Ice melts at 0 °C. | Steam is hot.",
    "It takes 5 ms. | Then it stops after 10 s. | Done.",
    "Take the variable x. | Then add y.",
    "It was said by M. Le Pen and J. De Niro.",
    # Numbers.
    "Pi is 3.14. | Version 2.0 came out in 2019. | 12 people used it.",
    "1. First comes this. | 2. Then comes that.",
    "He was born in 1815. | Later he moved.",
    # Quotation marks, brackets, notes.
    "He asked “Why?” and left. | “Really?” she said. | “Go.” | He went.",
    "(It was late.) | She stayed (he did not). | Then it rained.",
    "It was so.[12] | Then it changed.[3] | And again.¹ | The end.",
    "**Note.** | *It is so.* | It ends.",
    "Wait... | What? | Really?! | Yes… | OK.",
    "It goes on... and on … and on.",
    "No end here",
    # German.
    "Am 3. Oktober 1990 war es so weit. | Im 19. Jahrhundert gab es das z. B. nicht, d.h. gar nicht.",
    "Das ist Nr. 5, vgl. Abb. 3. | Berlin, Hamburg usw. sind groß. | Er kam ca. 1900 an.",
    # Spanish.
    "El Sr. Pérez vive en EE. UU. desde 1990. | ¿Por qué? | ¡Quién sabe! | Luego se fue.",
    "Ocurrió en el siglo III a. C. en Roma, p. ej. en mayo. | Véase la pág. 12. | Es así.",
    "—Vamos —dijo. | —No quiero.",
    # French, Italian, Portuguese.
    "M. Dupont arriva en 52 av. J.-C. | Le reste est connu, p. ex. par César.",
    "Il sig. Rossi e il dott. Bianchi arrivano. | È tardi.",
    "O Sr. Silva chegou. | São 5 horas. | É tarde.",
    # Russian.
    "См. рис. 3. | Дальше напр. так, т. е. просто.",
    "Это произошло в 1990 г. в Москве. | А. С. Пушкин родился в 1799 г. и т. д.",
    "В 1991 г. распался СССР, т.е. страна. | Это было в XX в. | Он уехал.",
    # Scripts without capitals or spaces.
    "犬がいる。|猫もいる！|本当？|はい。",
    "「行こう。」と彼は言った。|外は雨だった。",
    "这是一本书。|你好吗？",
    "とんと見当がつかぬ。|（p. 6）",
    "هذا كتاب. | هذا قلم.",
    "यह किताब है. | वह कलम है.",
)


def test_sentences_of_prose():
    for written in PROSE:
        text = written.replace("。|", "。").replace("！|", "！").replace("？|", "？").replace(" | ", " ")
        sentences = [sentence.strip() for sentence in written.split("|")]
        assert split_sentences(text) == sentences


def test_a_blank_line_ends_a_sentence_and_a_line_end_does_not():
    assert split_sentences("A title\n\nIt goes\nover two lines. Then ends.\n \nlast") == [
        "A title",
        "It goes\nover two lines.",
        "Then ends.",
        "last",
    ]
    assert split_sentences("It ended.\n\nand went on") == ["It ended.", "and went on"]
    assert split_sentences("  \n\n ") == split_sentences("") == []


def test_german_ordinals_are_known_if_the_language_is():
    text = "Er wurde 2. Vorsitzender. Kaiser Wilhelm II. Dann kam die 1. Republik."
    assert split_sentences(text, "de") == [
        "Er wurde 2. Vorsitzender.",
        "Kaiser Wilhelm II.",
        "Dann kam die 1. Republik.",
    ]
    assert split_sentences("It ended World War II. Berlin fell.") == ["It ended World War II.", "Berlin fell."]


MARKDOWN = (
    ("Call `a. B` now. Then stop!", ["Call `a. B` now.", "Then stop!"]),
    ("`launch` starts. `async` waits.", ["`launch` starts.", "`async` waits."]),
    ("It costs $1. 5$ a day. J. Doe said so.", ["It costs $1. 5$ a day.", "J. Doe said so."]),
    ("See [it](https://a.org/x.Y). Then go.", ["See [it](https://a.org/x.Y).", "Then go."]),
    ("Read [[Note. One]]. Then go.", ["Read [[Note. One]].", "Then go."]),
    ("# Title\nIt is so. Or not.", ["# Title", "It is so.", "Or not."]),
    ("Points:\n- one\n- two. And more\n* three", ["Points:", "- one", "- two.", "And more", "* three"]),
    ("1. First\n2. Second. Third\n", ["1. First", "2. Second.", "Third"]),
    ("It was made in\n1990. Then it\n12. was sold.", ["It was made in\n1990.", "Then it\n12. was sold."]),
    ("> One line.\n> Another line\n> goes on. The end", ["> One line.", "> Another line\n> goes on.", "The end"]),
    ("Code:\n\n```\na. B\n\nc. D\n```\n\nEnd.", ["Code:", "```\na. B\n\nc. D\n```", "End."]),
)


def test_markdown_is_split_only_in_its_prose():
    for text, sentences in MARKDOWN:
        assert split_sentences(text, markdown=True) == sentences


def test_sentences_may_start_with_lower_case_letters():
    text = "merge c1 and c2. then delete c3, e.g. this one etc. and go on! \ue000 is bad. ok"
    assert split_sentences(text, any_start=True) == [
        "merge c1 and c2.",
        "then delete c3, e.g. this one etc. and go on!",
        "\ue000 is bad.",
        "ok",
    ]
    assert split_sentences("It works. iOS too.") == ["It works. iOS too."]


def test_the_first_sentences():
    text = "One is here. Two is here. Three is here."
    assert first_sentence(text) == "One is here."
    assert first_sentence("") == ""
    assert leading_sentences(text, 26) == "One is here. Two is here."
    assert leading_sentences(text, 24) == "One is here."
    assert leading_sentences(text, 3) == ""


SIGNS = st.text(alphabet="aBж犬1 .!?。「」`$>-*()[]|#\n'\u201d", max_size=80)


@given(SIGNS, st.booleans(), st.booleans(), st.integers(0, 80))
def test_no_text_is_lost_and_limits_are_respected(text, markdown, any_start, limit):
    spans = sentence_spans(text, markdown=markdown, any_start=any_start)
    assert "".join(text[start:end] for start, end in spans) == text
    assert all(start < end for start, end in spans)
    assert len(leading_sentences(text, limit, markdown=markdown)) <= limit
    whole = "".join(split_sentences(text, markdown=markdown, any_start=any_start, keep_spaces=True))
    assert whole == text


def test_no_text_takes_long():
    for text in ("a. " * 100_000, "." * 300_000, "A. B " * 60_000, "[" * 200_000, "`" * 100_000, "` `` " * 20_000):
        for markdown in (False, True):
            began = time.monotonic()
            split_sentences(text, markdown=markdown)
            assert time.monotonic() - began < 5
    for text in ("\n" * 100_000 + "x", "> " * 50_000, ">\n" * 50_000, "$a" * 50_000, "%%" * 50_000, "<a " * 50_000):
        began = time.monotonic()
        split_sentences(text, markdown=True)
        assert time.monotonic() - began < 5
