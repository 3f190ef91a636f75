"""Write the folder that ships: `transformers` loads it by itself, and it is checked to read as the training path does.

`python -m training.export WEIGHTS docparse/data/tiny`
"""

from __future__ import annotations

import argparse
import hashlib
import re
from pathlib import Path

import torch
from PIL import Image
from transformers import AutoModelForImageTextToText, AutoTokenizer, GenerationConfig
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

from docparse.models.tiny import Tiny
from docparse.synthetic.pixels import draw
from docparse.synthetic.recipes import held_out
from docparse.synthetic.sheet import Sheet
from training import checkpoints, model, tokens
from training.reader import Reader
from training.samples import collate

CARD, SUMS, WEIGHTS = "README.md", "SHA256SUMS", "model.safetensors"


def export(reader: Reader, out: Path) -> None:
    """Weights in half precision, configuration, tokenizer and image processor under `out`, and their hashes.

    `reader` is rounded to half precision as well. A card that is there receives the hash of the weights.
    """
    native = reader.model.half().float()  # float32 is what the configuration names, and so what computes
    native.generation_config = GenerationConfig(
        bos_token_id=tokens.BOS, eos_token_id=tokens.EOS, pad_token_id=tokens.PAD, do_sample=False, max_new_tokens=2048
    )
    state = {name: value.half() for name, value in native.state_dict().items() if name != "lm_head.weight"}  # tied
    native.save_pretrained(out, state_dict=state)
    (out / WEIGHTS).chmod(0o644)  # it is made for its owner alone
    tokens.tokenizer().save_pretrained(out)
    settings = {name: value for name, value in Tiny().preprocessing().items() if name != "image_processor_type"}
    Qwen2VLImageProcessorPil(**settings).save_pretrained(out)
    write_hashes(out)


def write_hashes(folder: Path) -> None:
    """`SHA256SUMS` of all other files, as sha256sum writes it; the card names the one of the weights."""
    digest = hashlib.sha256((folder / WEIGHTS).read_bytes()).hexdigest()
    if (card := folder / CARD).exists():
        card.write_text(re.sub(r"\b[0-9a-f]{64}\b", digest, card.read_text(encoding="utf-8")), encoding="utf-8")
    files = sorted(path for path in folder.iterdir() if path.name != SUMS)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")


class Native:
    """The exported folder as anybody loads it, without docparse."""

    def __init__(self, folder: Path) -> None:
        self.model = AutoModelForImageTextToText.from_pretrained(folder).eval()
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.processor = Qwen2VLImageProcessorPil.from_pretrained(folder)  # AutoImageProcessor may want torchvision

    @torch.no_grad()
    def read(self, sheet: Sheet, limit: int) -> str:
        """Greedy text of a page, at most `limit` characters."""
        picture = Image.fromarray(draw(sheet)).convert("RGB")
        pixels = self.processor(images=[picture], return_tensors="pt")
        visual = int(pixels["image_grid_thw"].prod()) // 4
        prompt = f"<|vision_start|>{'<|image_pad|>' * visual}<|vision_end|><|im_start|>"
        ids = self.tokenizer(prompt, return_tensors="pt", return_token_type_ids=False)["input_ids"]
        pixels["pixel_values"] = pixels["pixel_values"].to(self.model.dtype)
        answer = self.model.generate(
            input_ids=ids, attention_mask=torch.ones_like(ids), mm_token_type_ids=(ids == tokens.IMAGE).int(),
            **pixels, max_new_tokens=limit,
        )  # fmt: skip
        return str(self.tokenizer.decode(answer[0, ids.shape[1] :], skip_special_tokens=True))


def check(reader: Reader, folder: Path, sheets: list[Sheet], limit: int) -> None:
    """Raise `ValueError` for the first page that the exported folder reads differently.

    Both compute in float64: in float32 two letters that are equally likely may change places.
    """
    native = Native(folder)
    native.model.double()
    reader.double()
    for sheet in sheets:
        page = collate([sheet])
        page.patches = page.patches.double()
        expected, found = reader.read(page, limit)[0], native.read(sheet, limit)
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
    check(reader, options.out, held_out("dev", "block", 3) + held_out("dev", "page", 3), 900)
    size = sum(file.stat().st_size for file in options.out.iterdir())
    print(f"{options.out}: {size / 1e6:.1f} MB, reads as the training path does")


if __name__ == "__main__":
    main()
