"""English sentences as trees."""

import numpy as np
import pytest

from studium.core.text.english.parser import MAX_WORDS, best_heads, parse, parse_split
from studium.core.text.english.words import split_english


def relations(text):
    tree = parse(text)
    return {
        word.text: (word.pos, word.lemma, word.relation, tree.head(word) and tree.head(word).text)
        for word in tree.words
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("They don't use Dumar's keys.", "They do n't use Dumar 's keys ."),
        ("It cannot start a four-stage rocket.", "It can not start a four - stage rocket ."),
        ("See /etc/apt/sources.list, e.g. on Debian 12.4.", "See /etc/apt/sources.list , e.g. on Debian 12.4 ."),
        ("Dr. Jones paid $3.3 million (50%) etc.", "Dr. Jones paid $ 3.3 million ( 50 % ) etc ."),
        (
            "Call django.db.models or read_lines() at https://a.org/b.",
            "Call django.db.models or read_lines() at https://a.org/b .",
        ),
    ],
)
def test_words_are_split_as_in_the_treebank(text, words):
    assert [text[start:end] for start, end in split_english(text)] == words.split()


def test_a_sentence_becomes_a_tree():
    found = relations("The middleware was activated because most sites need it.")
    assert found["activated"] == ("VERB", "activate", "root", None)
    assert found["middleware"] == ("NOUN", "middleware", "nsubj:pass", "activated")
    assert found["need"] == ("VERB", "need", "advcl", "activated")
    assert found["sites"] == ("NOUN", "site", "nsubj", "need")


def test_a_phrase_is_a_word_with_all_that_depends_on_it():
    tree = parse("The name of the package is written into the control file.")
    subject = tree.child(tree.root, "nsubj")
    assert tree.phrase(subject) == "The name of the package"
    assert tree.phrase(subject, without={tree.child(subject, "nmod").index}) == "The name"


def test_what_was_left_out_leaves_no_space_and_no_comma_behind():
    tree = parse("Debian, a free system, has no owner.")
    aside = tree.subtree(tree.child(tree.child(tree.root, "nsubj"), "appos"))
    assert tree.text_of({word.index for word in tree.words} - aside) == "Debian, has no owner."


def test_together_or_alone_a_sentence_has_the_same_tree():
    texts = [
        "What is RIP?",
        "Plants make sugar.",
        "The court held that the lien was void, because the law requires it.",
    ]
    together = parse_split(texts, [split_english(text) for text in texts])
    alone = [parse_split([text], [split_english(text)])[0] for text in texts]
    assert together == alone


@pytest.mark.parametrize("text", ["", "   ", "word " * (MAX_WORDS + 1)])
def test_what_is_no_sentence_has_no_tree(text):
    assert parse(text) is None


def test_heads_always_make_one_tree():
    numbers = np.random.default_rng(4)
    for size in range(2, 30):
        scores = numbers.normal(size=(size, size)).astype(np.float32)
        np.fill_diagonal(scores, -1e9)
        heads = best_heads(scores)
        assert list(heads[1:]).count(0) == 1
        for start in range(1, size):
            at, steps = start, 0
            while at:
                at, steps = heads[at], steps + 1
                assert steps < size


@pytest.mark.parametrize(
    ("text", "word", "lemma"),
    [
        ("The feature was deprecated in March.", "deprecated", "deprecate"),
        ("The tower was built in 1902.", "built", "build"),
        ("It undergoes many changes.", "undergoes", "undergo"),
        ("This implies a fault.", "implies", "imply"),
        ("They activated the alarm.", "activated", "activate"),
    ],
)
def test_a_verb_has_its_base_form(text, word, lemma):
    assert next(each.lemma for each in parse(text).words if each.text == word) == lemma


def test_paths_and_identifiers_are_names():
    tree = parse("The logs are kept in /var/log/mail by log_writer.")
    place, doer = (next(word for word in tree.words if word.text == text) for text in ("/var/log/mail", "log_writer"))
    assert (place.relation, doer.relation) == ("obl", "obl:agent")


def test_an_exclamation_before_a_noun_is_a_name():
    tree = parse("Hello packets are sent every 10 seconds on broadcast networks.")
    assert tree.phrase(tree.child(tree.root, "nsubj")) == "Hello packets"
