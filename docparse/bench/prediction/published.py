"""What the HSD paper measured on an A100, beside what the cost model says of it: the model's errors, every one.

Numbers: Liao et al., "Training-Free Acceleration for Document Parsing Vision-Language Model with Hierarchical
Speculative Decoding", https://arxiv.org/abs/2602.12957v1, OmniDocBench v1.5, with the drafts of PP-StructureV3. The
paper's AAL counts the free token of a step; here it does not.
"""

from __future__ import annotations

from typing import NamedTuple

from docparse.bench.prediction.predict import Prediction, Workload, predicted

DEVICE, SOFTWARE = "a100", "eager"


class Published(NamedTuple):
    """A row of the paper's tables; a ratio that it does not give is None."""

    what: str
    model: str
    work: Workload
    sr_decode: float | None
    sr_e2e: float | None


PUBLISHED = (
    Published("both stages, tau = 0.75 (fitted)", "dots.ocr", Workload(3.98), 2.44, 2.42),
    Published("both stages, tau = 1", "dots.ocr", Workload(2.87), 2.37, 2.34),
    Published("page stage only", "dots.ocr", Workload(2.49, regions=0.0), None, 2.09),
    Published("both stages", "hunyuan-ocr", Workload(4.55), None, 2.78),
    Published("both stages", "qwen3-vl", Workload(4.64), None, 2.74),
    Published("drafts by Qwen3-VL-2B", "qwen3-vl", Workload(4.17, drafts=13.0), None, 1.06),
    Published("both stages", "deepseek-ocr", Workload(3.72), None, 1.56),
)


class Check(NamedTuple):
    """A published row and its prediction."""

    published: Published
    prediction: Prediction

    @property
    def errors(self) -> tuple[float | None, float | None]:
        """Of SR_decode and SR_e2e: predicted over published, less one."""
        row, said = self.published, self.prediction
        return (
            None if row.sr_decode is None else said.sr_decode / row.sr_decode - 1,
            None if row.sr_e2e is None else said.sr_e2e / row.sr_e2e - 1,
        )


def checks() -> tuple[Check, ...]:
    """Every published row, the fitted one first."""
    from docparse.bench.prediction.counting import shape_of

    return tuple(Check(row, predicted(shape_of(row.model), DEVICE, SOFTWARE, row.work)) for row in PUBLISHED)
