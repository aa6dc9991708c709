"""The `q-*.md` format: questions and answers under headings, in one language or two."""

import unicodedata

import pytest

BY_KIND = """\
---
id: lc-006
title: onNewIntent
topic: android
language_tags: [en, ru]
tags: [android/lifecycle, difficulty/medium]
anki_cards:
- slug: lc-006-0-en
  language: en
  anki_id: 1769172288482
  synced_at: '2026-01-23T16:45:06.255786'
- slug: lc-006-0-ru
  language: ru
  anki_id: 1769172288507
---
# Question (EN)
> When is onNewIntent() called?

# Vopros (RU)
> Когда вызывается onNewIntent()?

---

## Answer (EN)

When an existing Activity receives a new Intent.

### Lifecycle

```
# Question (EN)
onPause() -> onNewIntent()
```

---

The rest.

## Otvet (RU)

Когда существующая Activity получает Intent.

---

## Follow-ups

- What is a task?
- How does singleTop differ?
  It reuses the top of the stack.

## References

- [[c-lifecycle]]

## Related Questions

- [[q-activity]] :: a link
"""

BY_LANGUAGE = """\
# Вопрос (RU)

Что такое OSPF?

## Ответ (RU)

Протокол.

# Question (EN)

What is OSPF?

## Answer (EN)

A protocol.
"""


def pairs(note):
    return [(card.language, card.pair, card.front, card.back) for card in note.cards]


def test_both_questions_then_both_answers(read):
    english, russian, follow_up = read(BY_KIND, "q-intent.md").cards
    assert (english.language, english.front) == ("en", "When is onNewIntent() called?")
    assert (russian.language, russian.front) == ("ru", "Когда вызывается onNewIntent()?")
    assert english.pair == russian.pair != ""
    assert english.back.startswith("When an existing")
    assert english.back.endswith("---\n\nThe rest.")
    assert russian.back == "Когда существующая Activity получает Intent."
    assert (follow_up.front, follow_up.back) == ("How does singleTop differ?", "It reuses the top of the stack.")


def test_where_the_cards_stand(read):
    english, russian, follow_up = read(BY_KIND, "q-intent.md").cards
    assert (english.line, english.end_line, english.heading) == (17, 37, "Question (EN)")
    assert (russian.line, russian.end_line, russian.heading) == (20, 41, "Vopros (RU)")
    assert (follow_up.line, follow_up.end_line, follow_up.heading) == (48, 49, "Follow-ups")


def test_the_ids_of_the_frontmatter_go_to_their_languages(read):
    english, russian, follow_up = read(BY_KIND, "q-intent.md").cards
    assert (english.marker.tool, english.marker.value, english.marker.line) == ("anki_cards", "1769172288482", 8)
    assert (russian.marker.tool, russian.marker.value, russian.marker.line) == ("anki_cards", "1769172288507", 12)
    assert follow_up.marker is None


def test_slugs_alone_are_ids_too(read):
    text = "---\nanki_slugs: [x-0-ru, x-0-en]\n---\n" + BY_LANGUAGE
    assert [card.marker.value for card in read(text).cards] == ["x-0-ru", "x-0-en"]


def test_question_and_answer_by_language(read):
    assert pairs(read(BY_LANGUAGE)) == [
        ("ru", "1", "Что такое OSPF?", "Протокол."),
        ("en", "1", "What is OSPF?", "A protocol."),
    ]


def test_headings_without_languages(read):
    text = BY_LANGUAGE.replace(" (RU)", "").replace(" (EN)", "")
    assert pairs(read(text)) == pairs(read(BY_LANGUAGE))


def test_decomposed_letters_stay_as_they_are(read):
    heading = unicodedata.normalize("NFD", "Décomposé")
    assert [card.heading for card in read(f"# {heading}\n\na?::b").cards] == [heading]


def test_one_language_is_no_pair(read):
    assert pairs(read("# Question\n\nWhy?\n\n# Answer\n\nSo.")) == [(None, "", "Why?", "So.")]
    assert pairs(read("---\nlanguage_tags: [en]\n---\n# Question\nWhy?\n# Answer\nSo."))[0][0] == "en"


@pytest.mark.parametrize("level", range(1, 7))
def test_any_level(read, level):
    marks = "#" * level
    assert pairs(read(f"{marks} Question (EN)\n> Why?\n\n{marks} Answer (EN)\nSo.\n")) == [("en", "", "Why?", "So.")]


@pytest.mark.parametrize(
    "heading", ["Question", "**Question (EN)**", "Question:", "question (en)", "Question [EN]", "Question 1 (EN)"]
)
def test_ways_to_write_the_heading(read, heading):
    assert [card.front for card in read(f"# {heading}\n\nWhy?\n\n## Answer (EN)\n\nSo.").cards] == ["Why?"]


def test_the_question_may_stand_in_the_heading(read):
    card = read("# Question (EN): Why not?\n\n## Answer (EN)\n\nSo.").cards[0]
    assert (card.front, card.line) == ("Why not?", 1)


@pytest.mark.parametrize("heading", ["Question types in Kotlin", "Questions", "Answer keys", "Unanswered"])
def test_headings_that_only_begin_like_one(read, heading):
    note = read(f"# {heading}\n\nText.\n\n## Answering\n\nMore.")
    assert not note.cards
    assert not note.findings


def test_several_questions_pair_in_order(read):
    note = read(BY_LANGUAGE + BY_LANGUAGE.replace("OSPF", "BGP"))
    assert [(card.front, card.pair) for card in note.cards] == [
        ("Что такое OSPF?", "1"),
        ("What is OSPF?", "1"),
        ("Что такое BGP?", "2"),
        ("What is BGP?", "2"),
    ]


def test_an_answer_made_of_sections_of_its_own_level(read):
    text = "# Question\nWhy?\n\n## Answer\n\n## In short\n\nSo.\n\n## At length\n\nBecause.\n\n## References\n\n- x"
    assert [card.back for card in read(text).cards] == ["## In short\n\nSo.\n\n## At length\n\nBecause."]


def test_sources_inside_an_answer_are_part_of_it(read):
    text = "# Question\nWhich?\n\n## Answer\n\n### Sources\n\nCold ones.\n\n### Related\n\nHot ones.\n\n## Related\n- x"
    assert [card.back for card in read(text).cards] == ["### Sources\n\nCold ones.\n\n### Related\n\nHot ones."]


def test_a_section_after_the_answer_is_no_part_of_it(read):
    assert [card.back for card in read("# Question\nWhy?\n\n## Answer\n\nSo.\n\n## Diary\n\nText.").cards] == ["So."]


@pytest.mark.parametrize(
    "follow_ups",
    [
        "- Which?\n  That.",
        "- **Which?** That.",
        "1. Which?\n   That.",
        "### Which?\n\nThat.",
        "Q: Which?\nA: That.",
        "- Which? :: That.",
    ],
)
def test_follow_ups_with_answers_are_cards(read, follow_ups):
    note = read(f"# Question\nWhy?\n\n## Answer\nSo.\n\n## Follow-ups\n\n{follow_ups}\n\n## References\n- x\n")
    assert [(card.front, card.back) for card in note.cards] == [("Why?", "So."), ("Which?", "That.")]


@pytest.mark.parametrize("follow_ups", ["- Which?\n- What?", "### Which?\n\n### What?", "Which? What?", ""])
def test_follow_ups_without_answers_are_not(read, follow_ups):
    note = read(f"# Question\nWhy?\n\n## Answer\nSo.\n\n## Follow-ups\n\n{follow_ups}\n")
    assert [card.front for card in note.cards] == ["Why?"]
    assert not note.findings


def test_an_answer_without_a_question_is_reported(read):
    note = read("# Question (EN)\nWhy?\n## Answer (EN)\nSo.\n## Otvet (RU)\nPotomu.")
    assert [card.front for card in note.cards] == ["Why?"]
    assert [(finding.code, finding.where.line) for finding in note.findings] == [("note.answer_without_question", 5)]


def test_a_question_without_an_answer_is_reported(read):
    note = read("# Question (EN)\nWhy?\n\n# Question (EN)\nWhat?\n\n## Answer (EN)\nSo.")
    assert [card.front for card in note.cards] == ["Why?"]
    assert [(finding.code, finding.where.line) for finding in note.findings] == [("note.question_without_answer", 4)]


def test_an_empty_answer_is_reported(read):
    note = read("# Question\nWhy?\n\n## Answer\n\n## References\n")
    assert not note.cards
    assert [(finding.code, finding.where.line) for finding in note.findings] == [("note.question_without_answer", 4)]
