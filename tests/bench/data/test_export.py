"""Predictions lie where the official scorers look for them."""

from pathlib import Path

from score_omnidocbench import score_folder

from docparse.bench.data.export import Exporter, Output, folder_name
from docparse.bench.data.pages import BenchPage
from docparse.bench.scoring.omnidocbench import Annotated

TEXT = "The first paragraph is about apples."
PDF = BenchPage(Path("pdfs/old/scan.pdf"), 3, "old", "old/scan.pdf")
IMAGE = BenchPage(Path("book.pdf_7.jpg"), 1, "book", "book.pdf_7.jpg", annotation=(Annotated("title", 1, TEXT),))


def written(folder):
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_olmocr_bench_finds_a_file_for_every_page_and_repeat_of_a_candidate(tmp_path):
    for run in range(2):
        Exporter(tmp_path)(Output("m", "hsd", PDF, run, f"{TEXT} {run}"))
    # for `old/scan.pdf` it looks for `old/scan_pg\d+_repeat\d+.md` in a candidate's folder
    assert written(tmp_path) == {f"hsd/old/scan_pg3_repeat{run + 1}.md": f"{TEXT} {run}" for run in range(2)}


def test_omnidocbench_finds_one_file_named_as_the_image(tmp_path):
    write = Exporter(tmp_path)
    write(Output("m", "ar", IMAGE, 0, TEXT))
    write(Output("m", "ar", IMAGE, 1, "another run"))
    assert written(tmp_path) == {"ar/book.pdf_7.md": TEXT}
    (tmp_path / "truth.json").write_text(
        '[{"page_info": {"image_path": "images/book.pdf_7.jpg"}, "layout_dets": '
        f'[{{"category_type": "title", "text": "{TEXT}", "order": 1, "anno_id": 0}}]}}]'
    )
    assert score_folder(tmp_path / "truth.json", tmp_path / "ar")["text_edit"] == 0


def test_several_models_have_a_folder_each_and_methods_one_whose_name_needs_no_quoting(tmp_path):
    names = [folder_name(name) for name in ("ar", "hsd", "hsd(tau=0.75,n=4)", "fastocr+hsd", "fastocr(keep=0.2)+hsd")]
    assert names == ["ar", "hsd", "hsd_tau=0.75_n=4", "fastocr+hsd", "fastocr_keep=0.2_+hsd"]
    write = Exporter(tmp_path, by_model=True)
    for model in ("m", "some/where/n"):
        write(Output(model, "ar", PDF, 0, TEXT))
    assert sorted(written(tmp_path)) == ["m/ar/old/scan_pg3_repeat1.md", "n/ar/old/scan_pg3_repeat1.md"]


def test_what_cannot_be_written_is_remembered_and_raises_nothing(tmp_path):
    (tmp_path / "ar").write_text("a file is in the way")
    write = Exporter(tmp_path)
    for method in ("ar", "hsd"):
        write(Output("m", method, PDF, 0, TEXT))
    assert "cannot write" in write.error
    assert not (tmp_path / "hsd").exists()
