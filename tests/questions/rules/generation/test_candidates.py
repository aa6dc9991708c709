"""What holds for every question: its evidence is in the document, and it does not give its answer away."""

import re

from hypothesis import given
from hypothesis import strategies as st

from studium.core.documents.markdown import MarkdownPage
from studium.core.domain.document import Document, content_id
from studium.questions.rules.comparison.answers import gives_answer_away
from studium.questions.rules.generation.generate import fact_source
from studium.questions.rules.parsed_document import parse_document, strip_markdown

_word = st.sampled_from(
    ["Tarn", "OSPF", "the", "router", "gold", "It", "a", "42", "kg", "(OSPF)", "and", "1998", "É.", "*b*"]
)
_phrase = st.lists(_word, min_size=1, max_size=5).map(" ".join)
_verb = st.sampled_from(
    ["is a", "has", "was founded in 1911 by", "are sent every 10 seconds", "weighs 3 kg", "MUST be set to"]
)
_sentence = st.builds("{} {} {}.".format, _phrase, _verb, _phrase)
_entry = st.builds("- **{}:** {}".format, _phrase, _phrase)
_row = st.builds("| {} | {} |".format, _phrase, _phrase)
_table = st.builds("{}\n|---|---|\n{}".format, _row, st.lists(_row, min_size=1, max_size=3).map("\n".join))
_block = st.one_of(
    _sentence,
    st.builds("{}\n{}".format, _sentence, _sentence),
    st.lists(_entry, min_size=2, max_size=4).map("\n".join),
    _table,
    _phrase.map("## {}".format),
    st.builds("> {}\n> {}".format, _sentence, _sentence),
    st.text(max_size=40),
)
markdown = st.lists(_block, max_size=8).map("\n\n".join)


async def test_every_quote_is_in_the_document_and_contains_the_answer(candidates, genre):
    document, found = await candidates(genre)

    assert found
    for each in found:
        assert all(document.locate(quote) for quote in each.quotes), each
        quoted = strip_markdown(" ".join(each.quotes))
        assert all(part in quoted for part in re.split(r", |; ", each.answer)), each


async def test_no_question_gives_its_answer_away_and_none_is_asked_twice(candidates, genre):
    _, found = await candidates(genre)

    assert not [each for each in found if gives_answer_away(each.question, each.answer)]
    assert len({each.question.casefold() for each in found}) == len(found)


@given(markdown, st.sampled_from(["en", "de", "es", "fr", "ru", "ja", "zh", "it"]))
def test_facts_of_any_text_can_be_located(text, language):
    document = Document("any.md", "markdown", content_id(text), (MarkdownPage(text),))

    for fact in fact_source(parse_document(text), language).facts:
        assert fact.answer.strip()
        assert 1 <= fact.line <= document.line_count
        assert all(document.locate(quote) for quote in fact.quotes), fact
