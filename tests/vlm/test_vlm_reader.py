"""A page read with a model: what is accepted, what is kept of the pipeline, and how a page that is cut is marked."""

import time

import numpy as np
import pytest
from PIL import Image

from docparse.accel.hsd import Hsd
from docparse.layout.reader import PageReader
from docparse.models.dialects.dots_json import DotsJson
from docparse.models.dialects.front_matter import FrontMatter
from docparse.models.dialects.layout_tokens import LayoutTokens
from docparse.models.family import Frame, OwnLayout
from docparse.types import Block, Box, Category

LAYOUT = OwnLayout("Where is what?", LayoutTokens(), 140, 196)


def test_a_draft_that_the_model_writes_is_confirmed_in_a_few_steps(reader, pages, written):
    page = reader(lambda *_: written(1), Hsd()).read(pages(1)).page
    assert page.status == "ok"
    assert page.engine == "parrot"
    decoding = page.decoding
    assert decoding.ending == "stop"
    assert decoding.accepted > 0.95 * decoding.tokens
    assert decoding.steps < decoding.tokens / 10
    assert decoding.accepted_by_source["text-layer"] == max(decoding.accepted_by_source.values())
    assert (decoding.prompt_tokens, decoding.visual_tokens) == (5, 3)


@pytest.mark.parametrize("number", [1, 2])
def test_every_token_counts_for_one_block(reader, pages, written, number):
    page = reader(lambda *_: written(number), Hsd()).read(pages(number)).page
    assert sum(block.tokens for block in page.blocks) == page.decoding.tokens
    assert sum(block.draft_tokens for block in page.blocks) == page.decoding.accepted
    assert all(0 <= block.draft_tokens <= block.tokens for block in page.blocks)
    prose = [block for block in page.blocks if block.category is Category.TEXT and len(block.text) > 200]
    assert prose
    for block in prose:  # about as many as its characters make
        assert len(block.text) / 8 < block.tokens < len(block.text)
        assert block.draft_tokens > 0.9 * block.tokens


def test_what_markdown_cannot_say_comes_from_the_pipeline(reader, pages, written, found):
    known = found(2)
    read = reader(lambda *_: written(2, known.page.blocks), Hsd()).read(pages(2))
    boxes = {block.text: block for block in known.page.blocks if len(block.text) > 10}
    same = [block for block in read.page.blocks if block.text in boxes]
    assert len(same) > 10
    for block in same:
        assert block.box == boxes[block.text].box
        assert block.font_size == boxes[block.text].font_size
        seen = boxes[block.text]
        assert block.category is (Category.TITLE if seen.level == 1 else seen.category)  # Markdown's "#" is the title
    figures = [block for block in known.page.blocks if block.image]
    assert figures
    assert {block.image for block in figures if block.category is Category.PICTURE} <= set(read.assets)
    furniture = [block.category for block in known.page.blocks if block.category.is_furniture]
    assert [block.category for block in read.page.blocks if block.category.is_furniture] == furniture


def test_boxes_of_a_model_that_writes_them_are_its_own(reader, pages, page_family):
    say = '[{"bbox": [100, 100, 300, 160], "category": "Title", "text": "# One"}, {"bbox": [100, 200, 500, 600], '
    say += '"category": "Picture"}]'
    read = reader(lambda *_: say, family=page_family(DotsJson())).read(pages(1))
    title, picture = read.page.blocks
    assert (title.category, title.text) == (Category.TITLE, "One")
    assert (title.box.x0, title.box.y1) == pytest.approx((50, 80), abs=1)  # at 144 dpi
    assert picture.image
    assert read.assets[picture.image].startswith(b"\x89PNG")


def test_a_model_that_reads_regions_gets_every_region_with_its_instruction(reader, pages, found, page_family):
    """And so does any model for the region stage alone."""
    regions = [block for block in found(1).page.blocks if block.category is not Category.PICTURE]
    for method, reads in ((Hsd(), "regions"), (Hsd(regions="only"), "page")):
        made = reader(lambda picture, told: f"words of {picture.shape[1]}", method, page_family(reads=reads))
        page, heard = made.read(pages(1)).page, made.vlm.heard
        assert [told for _, told in heard] == [f"Read the region: {region.category.value}." for region in regions]
        called = [region.category if region.category is not Category.TABLE else Category.TEXT for region in regions]
        assert [block.category for block in page.blocks] == called  # words alone are no table
        assert [block.box for block in page.blocks] == [region.box for region in regions]
        assert [block.text for block in page.blocks] == [f"words of {picture.shape[1]}" for picture, _ in heard]
        assert sum(block.tokens for block in page.blocks) == page.decoding.tokens


def test_a_model_that_finds_the_regions_itself_is_asked_for_them_first(reader, pages, found, page_family):
    page, known = pages(1), found(1)
    frame = Frame(known.content.box, 1000, 1000)
    blocks = [block for block in known.page.blocks if block.category is not Category.PICTURE]
    heading, text = blocks[0], max(blocks, key=lambda block: len(block.text))
    unseen = Block(category=Category.PICTURE, box=Box(72, 700, 200, 760))
    layout = LayoutTokens().write([heading, text, unseen], frame).text

    def say(picture, told):
        return layout if told == "Where is what?" else f"words of {picture.shape[1]}"

    made = reader(say, Hsd(), page_family(reads="regions", layout=LAYOUT))
    read = made.read(page)
    (squeezed, _), *crops = made.vlm.heard
    assert squeezed.shape == (196, 140, 3)
    assert [told for _, told in crops] == [f"Read the region: {each.category.value}." for each in (heading, text)]
    assert [block.category for block in read.page.blocks] == [heading.category, text.category, Category.PICTURE]
    assert read.page.blocks[0].level == heading.level and read.page.blocks[0].font_size == heading.font_size
    assert read.page.blocks[2].image in read.assets
    made_of = read.page.decoding
    assert made_of is not None and made_of.regions == 1
    assert made_of.region_steps < made_of.region_tokens / 2  # the pipeline's regions were its drafts


@pytest.mark.parametrize("layout", ["", "nothing of the kind"])
def test_where_it_finds_none_those_of_the_pipeline_are_read(reader, pages, found, page_family, layout):
    family = page_family(reads="regions", layout=LAYOUT)
    page = reader(lambda _, told: layout if told == "Where is what?" else "words", family=family).read(pages(1)).page
    assert page.warnings == ("the model found no regions: those of the pipeline were read",)
    assert len(page.blocks) == sum(block.category is not Category.PICTURE for block in found(1).page.blocks)


def test_the_region_stage_drafts_what_the_pipeline_got_wrong(reader, pages, written, found):
    """The model writes in capitals what the pipeline does not; its regions tell so before the page is written."""
    blocks = found(1).page.blocks
    regions = iter(blocks)

    def say(picture, told):
        return written(1, blocks=blocks[:8] if told == "Read the page." else [next(regions)]).upper()

    never, always = (reader(say, Hsd(regions=when)).read(pages(1)).page for when in ("never", "always"))
    assert never.decoding.regions == never.decoding.region_tokens == 0
    assert always.decoding.regions > 10
    assert always.decoding.region_tokens > 0
    assert always.decoding.accepted_by_source["region"] > 0.5 * always.decoding.tokens
    assert always.decoding.steps < never.decoding.steps / 2
    assert [block.text for block in always.blocks] == [block.text for block in never.blocks]
    assert "regions" in always.seconds


def test_a_loop_is_cut_and_told(reader, pages):
    page = reader(lambda *_: "The beginning.\n\n" + "again and " * 2000).read(pages(1)).page
    assert (page.status, page.error_category) == ("partial", "loop")
    assert page.decoding.ending == "loop"
    text = " ".join(block.text for block in page.blocks)
    assert "The beginning." in text
    assert 1 <= text.count("again") <= 3
    assert sum(block.tokens for block in page.blocks) == page.decoding.tokens


def test_an_output_at_its_maximum_length_keeps_its_text(reader, pages, written, page_family):
    """By the setting, by the positions that the model knows (five are the prompt's), and in a region."""
    made = reader(lambda *_: written(1), Hsd(), max_tokens=50)
    short = reader(lambda *_: written(1))
    short.vlm.text.config.max_position_embeddings = 45
    lengths = iter([200, *[1] * 100])
    regions = reader(lambda *_: "word " * next(lengths), family=page_family(reads="regions"), max_tokens=100)
    whole, positions, cut = (each.read(pages(1)).page for each in (made, short, regions))
    for page in (whole, positions, cut):
        assert (page.status, page.error_category) == ("partial", "length") and page.blocks[0].text
    assert whole.decoding.tokens == 50 and "--max-tokens" in whole.error
    assert positions.error == "the model had not finished after 40 tokens: it cannot write more"
    assert cut.error.startswith("1 of ") and "regions: the model had not finished after 100 tokens" in cut.error


def test_a_region_is_not_written_beyond_the_room_it_has(reader, pages, found, page_family):
    regions = [block for block in found(1).page.blocks if block.category is not Category.PICTURE]
    first = regions.index(next(block for block in regions if len(block.text) > 200))
    texts = [block.text for block in regions]
    runaway = [*texts[:first], " ".join(f"{n}" for n in range(9000)), *texts[first + 1 :]]
    read = []
    for said in (iter(texts), iter(runaway)):
        made = reader(lambda *_, said=said: next(said), family=page_family(reads="regions"))
        read.append(made.read(pages(1)).page)
    assert read[0].status == "ok"  # what stands there has room
    assert (read[1].status, read[1].error_category) == ("partial", "length")
    why = "the model wrote on where there is no room for more: that is cut"
    assert read[1].error == f"1 of {len(regions)} regions: {why}"
    assert read[1].decoding.tokens < sum(map(len, texts)) + 3000
    assert [block.text for block in read[1].blocks][first].startswith("0 1 2 3")


@pytest.mark.parametrize("reads", ["page", "regions"])
def test_the_model_says_how_far_it_is(reader, pages, found, page_family, reads):
    heard = []
    made = reader(lambda *_: "some words", family=page_family(reads=reads))
    page = made.read(pages(1), tell=lambda *news: heard.append(news)).page
    asked = len(made.vlm.heard) if reads == "regions" else 0
    assert heard == sorted(heard)  # never back
    assert {regions for _, regions, _ in heard} == {asked}
    assert heard[0][2] > 0
    assert heard[-1][2] == page.decoding.tokens


def test_regions_there_was_no_time_for_stay_as_the_pipeline_read_them(reader, pages, found, page_family):
    made = reader(lambda *_: "word", family=page_family(reads="regions"), page_timeout=1e-6)
    page = made.read(pages(1)).page
    assert (page.status, page.error_category) == ("partial", "timeout")
    known = [block.text.replace("\xad", "") for block in found(1).page.blocks]  # hyphens the document has to settle
    assert [block.text.replace("\xad", "") for block in page.blocks] == known
    assert made.vlm.heard == []


def test_a_model_that_is_too_slow_keeps_its_text(reader, pages, written, monkeypatch):
    """The page's time is over when the first tokens are written."""
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    page = reader(lambda *_: written(1)).read(pages(1), tell=lambda *_: clock.append(clock.pop() + 1e6)).page
    assert (page.status, page.error_category) == ("partial", "timeout")
    assert "--page-timeout" in page.error
    assert page.decoding.ending == "interrupted"
    assert page.decoding.tokens >= 1


def test_broken_markup_is_a_warning_and_its_text_is_kept(reader, pages, page_family):
    say = '[{"bbox": [100, 100, 300, 160], "category": "Title", "text": "One"}, {"bbox": [1, 2'
    page = reader(lambda *_: say, family=page_family(DotsJson())).read(pages(1)).page
    assert page.blocks[0].text == "One"
    assert page.status == "ok"
    assert any("markup" in warning for warning in page.warnings)


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_page_that_the_model_wants_turned_is_read_again_once(reader, pages, written, page_family, degrees):
    """Against the clock, as Pillow turns; the blocks have their places on the page as it is."""
    family = page_family(FrontMatter())
    front = "---\nprimary_language: en\nis_rotation_valid: {}\nrotation_correction: {}\nis_table: False\n---\n"

    def say(picture, instruction):
        second = len(reads.vlm.heard) > 1
        return front.format(True, 0) + written(1) if second else front.format(False, degrees) + "sdrow"

    reads = reader(say, Hsd(), family)
    page = reads.read(pages(1)).page
    (first, _), (second, _) = reads.vlm.heard
    pillow = {90: Image.Transpose.ROTATE_90, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_270}
    assert np.array_equal(second, np.asarray(Image.fromarray(first).transpose(pillow[degrees])))
    straight = reader(lambda *_: front.format(True, 0) + written(1), Hsd(), family).read(pages(1)).page
    assert [(block.text, block.box) for block in page.blocks] == [(block.text, block.box) for block in straight.blocks]
    (warning,) = page.warnings
    assert warning.endswith(f"the page is turned by {degrees} degrees, and was read again")


AGAIN = "---\nis_rotation_valid: {}\nrotation_correction: {}\n---\n{}"


@pytest.mark.parametrize(
    "second",
    ["", "---\n", AGAIN.format(True, 0, ""), AGAIN.format(False, 270, "Worse.")],
    ids=["nothing", "cut", "empty", "turned again"],
)
def test_where_a_turned_page_cannot_be_read_again_the_first_reading_stays(reader, pages, page_family, second):
    def say(picture, instruction):
        if len(reads.vlm.heard) > 1:
            return second
        return "---\nis_rotation_valid: False\nrotation_correction: 90\n---\nWords lie down."

    reads = reader(say, family=page_family(FrontMatter()))
    page = reads.read(pages(1)).page
    assert [block.text for block in page.blocks if block.source == "vlm"] == ["Words lie down."]
    assert page.warnings[-1].endswith("the page is turned by 90 degrees, and could not be read again")
    assert page.status == "ok"
    assert page.decoding.regions == 1, "what the other reading cost is told apart"


LOOP = "word " * 400


@pytest.mark.parametrize("rereads", [0, 1, 2])
def test_a_page_that_loops_is_read_again_as_often_as_asked(reader, pages, rereads):
    def say(picture, instruction):
        return "All is well." if len(reads.vlm.heard) > 2 else LOOP

    reads = reader(say, rereads=rereads)
    page = reads.read(pages(1)).page
    assert len(reads.vlm.heard) == 1 + rereads
    right = rereads == 2
    assert (page.status, page.error_category) == (("ok", "") if right else ("partial", "loop"))
    assert any(block.text == "All is well." for block in page.blocks) == right
    told = {0: [], 1: ["the page was read 2 times, which did not help: the first is kept"]}
    assert list(page.warnings) == told.get(rereads, ["the page was read 3 times, the last is kept"])


def test_a_page_is_read_again_where_its_markup_is_broken_but_not_where_authors_never_do(reader, pages, page_family):
    def say(picture, instruction):
        return "---\nprimary_language: en\n---\nWell." if len(reads.vlm.heard) > 1 else "No front matter."

    reads = reader(say, family=page_family(FrontMatter()), rereads=5)
    page = reads.read(pages(1)).page
    assert len(reads.vlm.heard) == 2
    assert page.warnings == ("the page was read 2 times, the last is kept",)


@pytest.mark.parametrize(("tau", "drafted"), [(1.0, [False, True, False]), (0.9, [False] * 3)])
def test_earlier_pages_of_the_same_document_are_drafts_where_they_change_nothing(reader, pages, tau, drafted):
    made = reader(lambda *_: "A form that nobody has seen before, with the words of the first page.", Hsd(tau=tau))
    read = [made.read(pages(1), document=document).page.decoding for document in ("one", "one", "two")]
    assert [each.accepted_by_source.get("earlier-page", 0) > 5 for each in read] == drafted
    assert sum("earlier-page" in each.accepted_by_source for each in read) == sum(drafted)


def test_a_blank_sheet_is_not_shown_to_the_model(reader, typst_pdf):
    from docparse.pdf import open_document

    made = reader(lambda *_: "Something that is not there.")
    with open_document(typst_pdf("#set page(width: 100pt, height: 60pt)\n", "blank"), name="blank.pdf") as blank:
        page = made.read(blank.page(1)).page
    assert page.blocks == ()
    assert page.status == "ok"
    assert made.vlm.heard == []


def test_where_the_model_fails_the_pipelines_page_is_kept_and_says_so(reader, pages, found):
    def fail(*_):
        raise RuntimeError("the device is lost")

    page = reader(fail, Hsd()).read(pages(1)).page
    assert (page.status, page.error_category, page.engine) == ("partial", "model", "pipeline")
    assert page.error == ("without model (RuntimeError: the device is lost); what the pipeline read is kept")
    assert page.blocks == found(1).page.blocks


def test_a_stage_of_the_pipeline_that_fails_is_told_although_the_model_wrote_the_page(
    reader, pages, written, monkeypatch
):
    from docparse.layout.stages import parts

    def fail(*_):
        raise ZeroDivisionError("float division by zero")

    monkeypatch.setattr(parts, "find_tables", fail)
    made = reader(lambda *_: written(1), Hsd())
    made.pipeline = PageReader(made.pipeline.settings)
    page = made.read(pages(1)).page
    assert page.engine == "parrot" and page.status == "partial"
    assert "tables (ZeroDivisionError: float division by zero)" in page.error
