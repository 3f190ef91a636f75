"""Training: the fast path is the native model, labels point at the letters, a stopped run goes on where it was."""

import pytest
import torch

from docparse.synthetic import recipes
from training import checkpoints, curriculum, model, reader, samples, tokens, train
from training.curriculum import Part, Stage
from training.evaluate import Scores, categories, evaluate, loses_a_line, pages, printed_line, table
from training.reader import Reader
from training.samples import batch, collate

SMALL = (Stage(10**9, (Part("line", 2, 1), Part("line", 2, 1, decode=False))),)


@pytest.fixture
def options(tmp_path, monkeypatch):
    monkeypatch.setattr(curriculum, "CURRICULUM", SMALL)
    return train.Options(out=tmp_path, workers=0, threads=1)


def losses(trainer, steps):
    source = curriculum.batches(trainer.options.seed, trainer.step, 0)
    return [trainer.train_step(next(source), 0.1)["dense"] for _ in range(steps)]


def test_a_resumed_run_continues_the_same_losses(options):
    straight = losses(train.Trainer(options), 4)
    stopped = train.Trainer(options)
    before = losses(stopped, 2)
    stopped.save(train.Log(options.out / "log.jsonl"))
    resumed = train.Trainer(options)
    assert resumed.step == 2
    assert before + losses(resumed, 2) == pytest.approx(straight, rel=1e-4)


def test_training_lowers_the_loss(options):
    trainer, example = train.Trainer(options), curriculum.batch(1, 0)
    values = [trainer.train_step(example, 1.0)["dense"] for _ in range(10)]
    assert values[-1] < 0.8 * values[0]


def test_a_run_ends_after_its_steps_and_leaves_weights_log_and_plot(options):
    trainer = train.train(train.Options(**{**vars(options), "steps": 2}))
    assert trainer.step == 2
    assert {path.name for path in options.out.iterdir()} >= {"state.pt", "weights.safetensors", "curves.png"}
    other = Reader(model.build(model.Shape()))
    checkpoints.load_weights(other, options.out / "weights.safetensors")
    assert all(torch.equal(a, b) for a, b in zip(other.parameters(), trainer.reader.parameters(), strict=True))


def test_the_mean_of_two_checkpoints_lies_between_them(tmp_path):
    readers = [Reader(model.build(model.Shape(layers=1))) for _ in range(3)]
    for step, other in enumerate(readers[:2]):
        checkpoints.save_weights(other, tmp_path / f"{step}.safetensors", step)
    checkpoints.write_mean([tmp_path / "0.safetensors", tmp_path / "1.safetensors"], tmp_path / "mean.safetensors")
    assert checkpoints.load_weights(readers[2], tmp_path / "mean.safetensors") == 1
    for first, second, mean in zip(*(other.parameters() for other in readers), strict=True):
        torch.testing.assert_close(mean, (first + second) / 2, atol=1e-3, rtol=1e-3)


def test_the_pointer_looks_at_the_patch_that_holds_the_letter():
    found = collate([recipes.sheet(f"pointer/{category}", "block", category) for category in ("text", "lists")])
    letters = set(range(tokens.IDS["A"], tokens.IDS["Z"])) | set(range(tokens.IDS["a"], tokens.IDS["z"]))
    hits = total = 0
    for page in range(2):
        for token, at in zip(found.ids[page].tolist(), found.pointer[page].tolist(), strict=True):
            if token in letters and at >= 0:
                total += 1
                hits += token in found.dense[page, at].flatten().tolist()
    assert total > 50
    assert hits > 0.9 * total  # a third letter in a patch has no slot; LaTeX names are one symbol


def test_every_printed_character_has_a_class_of_the_dense_loss():
    found = collate([recipes.sheet(f"symbols/{index}", "block", "formulas") for index in range(20)])
    assert not (found.dense == samples.IGNORE).any()
    assert (found.dense >= tokens.VOCABULARY).sum() > 50  # Greek letters and relations, which no token spells
    assert found.dense.max() < tokens.PRINTED


def test_sparse_batches_have_few_characters_for_their_visual_tokens():
    found = batch("sparse", "page", 4, sparse=True)
    assert (found.ids != tokens.PAD).sum() < found.rows * found.columns * 4  # pages of text have two or three
    assert found.patches.shape == (4, 4 * 256, 64)


def test_attention_in_parts_sees_what_fused_attention_sees():
    torch.manual_seed(0)
    q, k, v = (torch.randn(1, heads, 2 * reader.QUERIES + 50, 32).bfloat16() for heads in (4, 2, 2))
    expected = torch.nn.functional.scaled_dot_product_attention(
        q.float(), k.float(), v.float(), is_causal=True, enable_gqa=True
    )
    with torch.autocast("cpu", torch.bfloat16):
        found = reader._attend(q, k, v, causal=True)
    torch.testing.assert_close(found.float(), expected, atol=0.03, rtol=0.03)


def test_lost_and_repeated_lines_are_seen():
    page = recipes.sheet("lines", "page", "text")
    text, line = page.markdown, printed_line(page)
    assert not loses_a_line(text, text, line)
    assert not loses_a_line(text.replace("e", "c"), text, line)
    assert loses_a_line(text[:100] + text[140:], text, line)
    assert loses_a_line(text[:140] + text[100:], text, line)


class PerfectReader:
    """Answers with the truth, which comes with every batch."""

    def parameters(self):
        yield torch.zeros(1)

    def read(self, pages, limit):
        return [tokens.decode(ids)[:limit] for ids in pages.ids.tolist()]


@pytest.mark.parametrize("unit", ["line", "block"])
def test_answers_are_compared_with_their_own_page_whatever_the_batches(unit):
    sheets = recipes.held_out("order", unit, 7)
    scores = evaluate(PerfectReader(), sheets, batch=3)
    assert [truth for truth, _ in scores.texts] == [page.markdown for page in sheets]
    assert scores.rates == [0.0] * 7


def test_the_table_of_sparse_pages_has_their_own_categories():
    scores = Scores()
    for page in pages("sparse", 8):
        scores.add(page, page.markdown)
    _, _, whole, *rows = table([("sparse", scores)])
    assert whole == "| **sparse** | 1,024 | 8 | 0.0000 | 0.0000 | 0 |"
    assert [row.split(" | ")[0] for row in rows] == [f"| sparse, {name}" for name in categories("sparse")]


def test_the_table_counts_pages_with_a_lost_or_repeated_line_by_category():
    scores = Scores()
    for page in recipes.held_out("table", "page", 12):
        scores.add(page, page.markdown)
    page = recipes.held_out("table", "page", 13)[12]
    scores.add(page, page.markdown[:100] + page.markdown[140:])
    whole, text, *others = list(table([("page", scores)]))[2:]
    assert whole.startswith("| **page** | 256 | 13 | 0.0") and whole.endswith("| 0.0000 | 1 |")
    assert text.startswith("| page, text | 256 | 3 | 0.0") and text.endswith("| 1 |")
    assert len(others) == len(recipes.CATEGORIES) - 1
    assert all("| 2 | 0.0000 | 0.0000 | 0 |" in row for row in others)
