"""Images as documents: sizes from their resolution, pixels upright, opaque and 8-bit."""

import io
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from docparse.errors import InputError, PageError
from docparse.pdf import open_document


def encode(image, kind="PNG", **options):
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def first_page(data, dpi=144):
    with open_document(data, name="image") as document:
        page = document.page(1)
        return page, page.render(dpi)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "WEBP", "BMP"])
def test_formats_are_told_apart_by_content(tmp_path, kind):
    path = tmp_path / "misnamed.pdf"
    path.write_bytes(encode(Image.new("RGB", (60, 80), "white"), kind))
    with open_document(path, name=path.name) as document:
        assert document.pages == 1 and len(document.info.sha256) == 64
        page = document.page(1)
        assert page.quality == "none" and page.characters is None and page.images == (page.box,)
        assert page.render(72).pixels.min() > 250


SIZES = {
    "300 dpi": ((600, 400), "PNG", {"dpi": (300, 300)}, (144, 96)),
    "72 dpi": ((600, 400), "PNG", {"dpi": (72, 72)}, (600, 400)),
    "an absurd resolution": ((600, 400), "PNG", {"dpi": (5, 5)}, (842, 561.33)),
    "none": ((600, 400), "PNG", {}, (842, 561.33)),
    "a camera's photo is no poster": ((4000, 3000), "JPEG", {"dpi": (72, 72)}, (842, 631.5)),
    "a fax, with twice as many pixels across as down": ((408, 196), "TIFF", {"dpi": (204, 98)}, (144, 144)),
}


@pytest.mark.parametrize("pixels, kind, options, size", SIZES.values(), ids=SIZES)
def test_page_size_follows_a_sane_resolution_and_pixels_are_square(pixels, kind, options, size):
    page, image = first_page(encode(Image.new("L", pixels, 255), kind, **options))
    assert (page.width, page.height) == pytest.approx(size, abs=0.5)
    drawn = (page.height * image.scale, page.width * image.scale)
    assert image.pixels.shape[:2] == pytest.approx(drawn, abs=1)


@given(dpi=st.integers(18, 600), width=st.integers(20, 400), height=st.integers(20, 400))
def test_drawing_never_invents_pixels(dpi, width, height):
    page, image = first_page(encode(Image.new("L", (width, height), 255), dpi=(150, 150)), dpi)
    assert image.pixels.shape[0] <= height and image.pixels.shape[1] <= width
    assert image.scale == pytest.approx(min(dpi, 150) / 72, rel=1e-3)
    assert image.pixels.shape[1] == pytest.approx(page.width * image.scale, abs=1)


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA", "P", "1", "I;16"])
def test_more_pixels_than_a_page_may_have_are_not_kept(monkeypatch, mode):
    monkeypatch.setattr("docparse.pdf.content.MAX_PIXELS", 10_000)
    with open_document(encode(Image.new(mode, (720, 360)), dpi=(72, 72)), name="x.png") as document:
        page = document.page(1)
        assert (page.width, page.height) == pytest.approx((720, 360), abs=1)
        height, width = page.draw(1200).pixels.shape[:2]
        assert (width, height) == pytest.approx((141, 71), abs=1)
        assert document._read(1).pixels.shape[:2] == (height, width)


def test_orientation_from_exif_is_applied():
    image = Image.new("RGB", (40, 20), "white")
    image.paste("red", (0, 0, 40, 4))  # a red top edge in storage
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned clockwise by 90
    page, drawn = first_page(encode(image, "JPEG", exif=exif, dpi=(144, 144), quality=95, subsampling=0))
    assert (page.width, page.height) == pytest.approx((10, 20))
    assert drawn.pixels[20, -2, 1] < 90 and drawn.pixels[20, 2, 1] > 200


@pytest.mark.parametrize("mode, color, expected", [
    ("RGBA", (0, 0, 0, 0), 255), ("LA", (0, 128), 127), ("1", 1, 255), ("I;16", 32896, 128),
    ("CMYK", (0, 0, 0, 255), 0), ("P", 0, 0), ("F", 1.0, 255),
])  # fmt: skip
def test_every_mode_becomes_rgb_on_white(mode, color, expected):
    _, drawn = first_page(encode(Image.new(mode, (10, 10), color), "TIFF" if mode in ("CMYK", "I;16", "F") else "PNG"))
    assert drawn.pixels.dtype == np.uint8 and drawn.pixels.shape[2] == 3
    assert abs(int(drawn.pixels[5, 5, 0]) - expected) <= 1


def tiff(frames):
    first, *others = (Image.new("L", (30 + 10 * i, 40), 60 * i) for i in range(frames))
    return encode(first, "TIFF", save_all=True, append_images=others, dpi=(72, 72))


def test_a_tiff_has_a_page_per_frame():
    with open_document(tiff(4), name="fax.tiff") as document:
        assert document.pages == 4
        for number in (3, 1, 4, 2):
            page = document.page(number)
            assert page.width == pytest.approx(20 + 10 * number)
            assert page.render(72).pixels[5, 5, 0] == 60 * (number - 1)
        pages = [document.page(number) for number in (1, 2)]
        assert [page.render(72).pixels[5, 5, 0] for page in pages] == [0, 60]
        with pytest.raises(InputError, match="no page 5"):
            document.page(5)


@given(data=st.data())
def test_a_tiff_that_is_cut_off_loses_only_the_frames_behind_the_cut(data):
    whole = tiff(4)
    cut = whole[: data.draw(st.integers(9, len(whole)))]
    try:
        document = open_document(cut, name="fax")
    except InputError:
        return
    with document:
        read = []
        for number in range(1, document.pages + 1):
            try:
                read.append(document.page(number).render(72).pixels.max())
            except PageError:
                read.append(None)
    good = [value for value in read if value is not None]
    assert read[: len(good)] == good == [0, 60, 120, 180][: len(good)]  # whatever is damaged stands at the end
    assert len(good) == 4 or len(cut) < len(whole)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "WEBP"])
def test_a_cut_off_image_is_one_clear_line(kind):
    noise = Image.fromarray(np.random.default_rng(0).integers(0, 255, (200, 200, 3), dtype=np.uint8))
    data = encode(noise, kind)
    with pytest.raises((InputError, PageError), match=r"damaged or cut off"):
        open_document(data[: len(data) // 2], name="cut.img").page(1)


def test_an_image_of_absurd_size_is_refused():
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 100_000, 100_000, 8, 0, 0, 0, 0))
    with pytest.raises(InputError, match="too many pixels"):
        open_document(b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", b"") + chunk(b"IEND", b""), name="bomb.png")
