"""Write a folder that `transformers` loads by itself, and check that it reads as the training path does.

`python -m training.export WEIGHTS OUT`
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from PIL import Image
from transformers import AutoImageProcessor, AutoModelForImageTextToText, AutoTokenizer, GenerationConfig
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

from docparse.synthetic.pixels import draw
from docparse.synthetic.recipes import held_out
from docparse.synthetic.sheet import Sheet
from training import checkpoints, model, tokens
from training.reader import Reader
from training.samples import collate

SMALLEST, LARGEST = 256 * 32, 512 * 512  # pixels of a page; larger ones are scaled down


def export(reader: Reader, out: Path) -> None:
    """Weights, configuration, tokenizer and image processor under `out`."""
    reader.model.generation_config = GenerationConfig(
        bos_token_id=tokens.BOS, eos_token_id=tokens.EOS, pad_token_id=tokens.PAD, do_sample=False, max_new_tokens=2048
    )
    reader.model.save_pretrained(out)
    tokens.tokenizer().save_pretrained(out)
    Qwen2VLImageProcessorPil(
        patch_size=8, temporal_patch_size=1, merge_size=2, image_mean=[0.5] * 3, image_std=[0.5] * 3,
        size={"shortest_edge": SMALLEST, "longest_edge": LARGEST},
    ).save_pretrained(out)  # fmt: skip


class Native:
    """The exported folder as anybody loads it, without docparse."""

    def __init__(self, folder: Path) -> None:
        self.model = AutoModelForImageTextToText.from_pretrained(folder).eval()
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.processor = AutoImageProcessor.from_pretrained(folder)

    @torch.no_grad()
    def read(self, sheet: Sheet, limit: int) -> str:
        """Greedy text of a page, at most `limit` characters."""
        picture = Image.fromarray(draw(sheet)).convert("RGB")
        pixels = self.processor(images=[picture], return_tensors="pt")
        visual = int(pixels["image_grid_thw"].prod()) // 4
        prompt = f"<|vision_start|>{'<|image_pad|>' * visual}<|vision_end|><|im_start|>"
        ids = self.tokenizer(prompt, return_tensors="pt", return_token_type_ids=False)["input_ids"]
        answer = self.model.generate(
            input_ids=ids, attention_mask=torch.ones_like(ids), mm_token_type_ids=(ids == tokens.IMAGE).int(),
            pixel_values=pixels["pixel_values"], image_grid_thw=pixels["image_grid_thw"], max_new_tokens=limit,
        )  # fmt: skip
        return str(self.tokenizer.decode(answer[0, ids.shape[1] :], skip_special_tokens=True))


def check(reader: Reader, folder: Path, sheets: list[Sheet], limit: int) -> None:
    """Raise `ValueError` for the first page that the exported folder reads differently."""
    native = Native(folder)
    for sheet in sheets:
        expected, found = reader.read(collate([sheet]), limit)[0], native.read(sheet, limit)
        if found != expected:
            raise ValueError(f"native generation differs: {found!r} instead of {expected!r}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("weights", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    reader = Reader(model.build(model.Shape())).eval()
    checkpoints.load_weights(reader, options.weights)
    export(reader, options.out)
    check(reader, options.out, held_out("dev", "block", 4) + held_out("dev", "page", 4), 900)
    size = sum(file.stat().st_size for file in options.out.iterdir())
    print(f"{options.out}: {size / 1e6:.1f} MB, reads as the training path does")


if __name__ == "__main__":
    main()
