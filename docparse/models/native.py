"""Families whose classes transformers has: build, load, and picture processing without torchvision."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from docparse.errors import EnvironmentProblem, one_line
from docparse.models.dialects.elements import RegionDialect
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Dialect, Family, Processor
from docparse.models.loading import load_weights, quiet
from docparse.models.registry import configuration, mend
from docparse.types import Category

if TYPE_CHECKING:
    from torch import nn
    from transformers import PreTrainedConfig

PREPROCESSING = "preprocessor_config.json"
MODEL = "ForConditionalGeneration"
INSTRUCTIONS = {Category.TABLE: "Table Recognition:", Category.FORMULA: "Formula Recognition:"}


class NativeFamily(Family):
    """A family named by its classes (of transformers, or by a dotted path).

    `images` is the path, below `transformers.models`, of the image processor that works on PIL pictures: the one that
    AutoProcessor picks needs torchvision.
    """

    classes: str  # how both their names begin: `...Config` and `...ForConditionalGeneration`
    images: str
    chat: str  # the published chat format with `{image}` and `{instruction}`; the picture's start and end tokens too
    image_token: str
    pictures_file = PREPROCESSING  # where what `images` reads is published
    # Called with `(tokenizer, chat, image_token, images, **picture_facts)`. This one is for pictures whose visual
    # tokens are a plain grid of patches (Qwen's models and their relatives).
    processor_class = "docparse.models.views.PatchProcessor"

    def class_of(self, ending: str) -> Any:
        """Return the class whose name ends so. Raises `EnvironmentProblem` for a transformers that has none."""
        return named(self.classes + ending)

    def preprocessing(self) -> Mapping[str, Any]:
        """Return the published preprocessor_config.json, as far as the image processor reads it."""
        return dict(self.published[self.pictures_file])

    def config_of(self, given: Mapping[str, Any]) -> PreTrainedConfig:
        return self.class_of("Config").from_dict(deepcopy(dict(given)))

    def build(self, config: PreTrainedConfig) -> nn.Module:
        return self.class_of(MODEL)(config).eval()

    def load(self, folder: str, *, dtype: Any, device: str) -> nn.Module:
        given = self.class_of(MODEL), self._config(folder), folder
        return load_weights(*given, dtype=dtype, device=device, spare=self.spare)

    def processor(self, folder: str) -> Processor:
        from docparse.models.views import load_tokenizer

        given = load_tokenizer(folder), self.chat, self.image_token, self.image_processor(folder)
        return named(self.processor_class)(*given, **self.picture_facts(folder))

    def picture_facts(self, folder: str) -> Mapping[str, Any]:
        """Return what the processor must know of the model besides."""
        return {}

    def image_processor(self, folder: str) -> Any:
        """Return the image processor with the folder's preprocessor_config.json. Raises `EnvironmentProblem`."""
        if not any((Path(folder) / file).is_file() for file in (PREPROCESSING, "processor_config.json")):
            raise EnvironmentProblem(f"{folder}: no {PREPROCESSING}: {mend(folder)}")
        module, _, name = self.images.rpartition(".")
        kind = getattr(import_module(f"transformers.models.{module}"), name)
        try:
            said, _ = kind.get_image_processor_dict(folder, local_files_only=True)
            processor = kind.from_pretrained(folder, local_files_only=True)
        except Exception as error:  # whatever a class raises for a file that is no dictionary of its settings
            raise EnvironmentProblem(
                f"{folder}: {PREPROCESSING} cannot be read ({one_line(error)}): {mend(folder)}"
            ) from None
        _check_pictures(folder, said, processor)
        return processor

    def _config(self, folder: str) -> PreTrainedConfig:
        given = configuration(folder)
        if not self.recognises(given):  # without its file transformers would take its own defaults
            raise EnvironmentProblem(f"{folder}: config.json is not one of {self.card.name}: load it by its folder")
        try:
            with quiet():  # about keys that the model reads and the configuration class does not know
                return self.config_of(given)
        except Exception as error:  # a strict config class raises errors of several packages
            raise EnvironmentProblem(
                f"{folder}: config.json is not one of {self.card.name} ({one_line(error)}): use the published file"
            ) from None


class QwenFamily(NativeFamily):
    """Qwen2-VL, its successors and what was trained from them: M-RoPE on three axes, one chat format."""

    position_axes = 3
    end_token = "<|im_end|>"
    image_token = "<|image_pad|>"
    images = "qwen2_vl.image_processing_pil_qwen2_vl.Qwen2VLImageProcessorPil"
    chat = "<|im_start|>user\n<|vision_start|>{image}<|vision_end|>{instruction}<|im_end|>\n<|im_start|>assistant\n"


class ElementFamily(NativeFamily):
    """A family that reads single elements; what and where they are, a layout model says.

    Tables and formulas have instructions of their own, the same in PaddleOCR-VL's and GLM-OCR's model cards; all
    else is text, which `page_instruction` asks for."""

    reads: Literal["page", "regions"] = "regions"
    dialect: MarkdownDialect
    crop_instructions = INSTRUCTIONS

    def region_dialect(self, category: Category) -> Dialect:
        return RegionDialect(category, self.dialect)


def _check_pictures(folder: str, said: Mapping[str, Any], processor: Any) -> None:
    """Raise `EnvironmentProblem` where the file says nothing, or cuts pictures otherwise than the model reads them."""
    if not said:
        raise EnvironmentProblem(f"{folder}: {PREPROCESSING} is empty: {mend(folder)}")
    vision = configuration(folder).get("vision_config") or {}
    for key, asked in (("patch_size", "patch_size"), ("merge_size", "spatial_merge_size")):
        has, needs = getattr(processor, key, None), vision.get(asked)
        if isinstance(has, int) and isinstance(needs, int) and has != needs:
            how = f"{key} {has}" if key in said else f"no {key}"
            raise EnvironmentProblem(
                f"{folder}: {PREPROCESSING} has {how} where config.json says {needs}: {mend(folder)}"
            )


def named(name: str) -> Any:
    """Return a class of transformers by its name, any other by its dotted path. Raises `EnvironmentProblem` where the
    installed transformers is too old to have it."""
    module, _, name = name.rpartition(".")
    package = import_module(module or "transformers")
    if not hasattr(package, name):
        raise EnvironmentProblem(f"{package.__name__} is too old: it has no {name}: run `pip install -U transformers`")
    return getattr(package, name)
