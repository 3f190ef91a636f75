"""All families by name. A new model is one adapter file, what its makers published, and one line here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from docparse.errors import EnvironmentProblem, UsageError, one_line
from docparse.models.family import Family

# Module below docparse.models and class, in the order `docparse models list` shows them: those for documents first, and
# of these, the one before that `auto` prefers (docs/models.md says by what).
ADAPTERS = (
    "paddleocr_vl.PaddleOcrVl16",
    "mineru.MinerUPro",
    "glm_ocr.GlmOcr",
    "paddleocr_vl.PaddleOcrVl15",
    "paddleocr_vl.PaddleOcrVl",
    "hunyuan_ocr.HunyuanOcr",
    "deepseek_ocr.UnlimitedOcr",
    "qwen3_vl.ABotOcr",
    "qwen3_vl.FireRedOcr",
    "mineru.MinerU",
    "deepseek_ocr.DeepseekOcr2",
    "dots_ocr.DotsMocr",
    "dots_ocr.DotsOcr",
    "deepseek_ocr.DeepseekOcr",
    "qwen25_vl.NanonetsOcr2",
    "olmocr.OlmOcr",
    "lighton_ocr.LightOnOcr",
    "qwen25_vl.RolmOcr",
    "granite_docling.GraniteDocling",
    "qwen35_readers.ChandraOcr2",
    "qwen35_readers.OvisOcr2",
    "qwen35_readers.SuryaOcr2",
    "qwen3_vl.Qwen3Vl",
    "qwen3_vl.Qwen3Vl2B",
    "qwen25_vl.Qwen25Vl",
    "internvl.InternVl",
    "llava.LlavaOneVision",
    "llava.LlavaNext",
    "tiny.Tiny",
)


def families() -> Iterator[Family]:
    """Yield every family, in the order `docparse models list` shows them. Raises `UsageError` where one is not
    there, or known by a name of another: half of them could not be chosen."""
    known: dict[str, str] = {}
    for adapter in ADAPTERS:
        module, _, name = adapter.partition(".")
        try:
            adapt = getattr(import_module(f"docparse.models.{module}"), name)
        except (ModuleNotFoundError, AttributeError) as error:
            raise UsageError(f"{adapter}, in ADAPTERS of docparse/models/registry.py: {one_line(error)}") from error
        family: Family = adapt()
        for spelling in _names(family):
            if other := known.get(spelling):
                raise UsageError(f"models {other} and {adapter} are both known as {spelling!r}: rename one")
            known[spelling] = adapter
        yield family


def family_named(name: str) -> Family | None:
    """Return the family by name, repository or alias; letter case, dots, dashes and underscores do not count."""
    wanted = _plain(name)
    return next((family for family in families() if wanted in _names(family)), None)


def family_of_folder(folder: str) -> Family:
    """Return the family of the weights in `folder`, by `model_type` in its config.json.

    Where several families share one (olmOCR is a Qwen2.5-VL), the one whose name, the longest first, the folder's path
    or the configuration's own note of its origin holds, else a general one. Raises `EnvironmentProblem`.
    """
    config = configuration(folder)
    found = [family for family in families() if family.recognises(config)]
    if not found:
        supported = ", ".join(family.card.name for family in families())
        kind = config.get("model_type") or "without model_type"
        raise EnvironmentProblem(f"{folder}: a model of kind {kind!r} is not supported: use one of {supported}")
    origin = _plain(f"{Path(folder).resolve()} {config.get('_name_or_path', '')}")

    def nearness(family: Family) -> tuple[int, bool]:
        said = max(len(name) if name in origin else 0 for name in _names(family))
        return said, family.card.purpose == "general"

    return max(found, key=nearness)


def configuration(folder: str) -> dict[str, Any]:
    """Return what the folder's config.json says. Raises `EnvironmentProblem`."""
    file = Path(folder) / "config.json"
    try:
        config = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise EnvironmentProblem(f"{folder}: no config.json: not a folder of model weights") from None
    except (OSError, ValueError) as error:
        raise EnvironmentProblem(f"{file}: cannot be read ({error}): {mend(folder)}") from None
    if not isinstance(config, dict):
        raise EnvironmentProblem(f"{file}: not a model's configuration: {mend(folder)}")
    return config


def mend(folder: str) -> str:
    """Return what to do about damaged weights in `folder`: the end of an error message."""
    repository = Path(folder).absolute().parent.parent.name  # of a snapshot in the cache: models--OWNER--NAME
    family = family_named(repository.removeprefix("models--").replace("--", "/")) if "--" in repository else None
    return f"fetch it again with `docparse models pull {family.card.name}`" if family else "use a whole copy"


def _names(family: Family) -> set[str]:
    card = family.card
    spellings = (card.name, card.repository, card.repository.partition("/")[2], *card.aliases)
    return {_plain(spelling) for spelling in spellings if spelling}


def _plain(name: str) -> str:
    return "".join(character for character in name.lower() if character not in ".-_")
