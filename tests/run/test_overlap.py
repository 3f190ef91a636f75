"""The pipeline reads ahead while the model writes, but not further than it may, and nothing waits for a slow stage but
the slow stage."""

import json

import slow_stages

from docparse.errors import ExitCode
from docparse.run import document, model_service
from docparse.run.convert import convert
from docparse.settings import Settings


def test_the_pipeline_is_ahead_of_the_model_as_far_as_it_may(tmp_path, monkeypatch, three_page_pdf):
    monkeypatch.setenv("EVENTS", str(tmp_path / "events"))
    monkeypatch.setattr(model_service, "ModelService", slow_stages.SlowModel)
    monkeypatch.setattr(document, "ReadPage", slow_stages.SlowPage)
    copies = [tmp_path / f"{name}.pdf" for name in "ab"]
    for copy in copies:
        copy.write_bytes(three_page_pdf.read_bytes())
    settings = Settings(model="tiny", accel="none", device="cpu", threads=1, batch=2, ahead=3, workers=1)
    summary = convert([str(copy) for copy in copies], str(tmp_path / "out"), settings)
    assert summary.exit_code is ExitCode.OK
    events = sorted(map(json.loads, (tmp_path / "events").read_text().splitlines()))
    read = begun = ended = together = ahead = 0
    for _, what, _ in events:
        read, begun, ended = read + (what == "read"), begun + (what == "begin"), ended + (what == "end")
        together, ahead = max(together, begun - ended), max(ahead, read - begun)
    assert read == begun == ended == 6
    assert together == 2
    assert ahead <= 3 + 2  # those that wait, and those that the model was given while it was being loaded
    first_end = next(i for i, (_, what, _) in enumerate(events) if what == "end")
    assert sum(what == "read" for _, what, _ in events[:first_end]) > 2  # others are read while the first are written
