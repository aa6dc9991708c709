"""The labels fit the documents that ship."""

import json
from pathlib import Path

import yaml

import studium
from studium.questions.domain import CorpusConfig

SAMPLES = Path(studium.__file__).parent / "questions" / "sample_files" / "questions"


def labelled(name):
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_the_sample_corpus_says_what_it_is():
    corpus = CorpusConfig.model_validate(yaml.safe_load((SAMPLES / "corpus.yaml").read_text(encoding="utf-8")))
    assert set(corpus.scenarios) == {"rag_eval", "study"}


def test_every_document_that_ships_is_labelled_with_every_verdict():
    documents = {path.name for path in SAMPLES.iterdir() if path.name != "corpus.yaml"}
    verdicts = {"correct", "wrong_answer", "unanswerable", "ambiguous", "trivial"}
    labels = {(each["document"], each["verdict"]) for each in labelled("answers.jsonl")}
    assert labels == {(document, verdict) for document in documents for verdict in verdicts}


def test_no_answer_has_two_verdicts():
    answers = [(each["document"], each["question"], each["answer"]) for each in labelled("answers.jsonl")]
    assert len(set(answers)) == len(answers) >= 180


def test_no_pair_of_questions_is_labelled_twice():
    pairs = [frozenset((each["one"], each["other"])) for each in labelled("question_pairs.jsonl")]
    assert len(set(pairs)) == len(pairs) >= 200
    assert all(len(pair) == 2 for pair in pairs)
