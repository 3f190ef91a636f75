"""Forms: boxes that are ticked and fields that are filled in are part of the page."""

from pathlib import Path

from docparse.layout.text.marks import with_marks
from docparse.layout.text.words import words_of
from docparse.pdf import open_document

TEXT = "BT /F1 11 Tf 60 250 Td (I agree) Tj 0 -20 Td (I do not) Tj -20 -30 Td (Name:) Tj 0 -20 Td (Country:) Tj ET"
TICKED, EMPTY = "1 w 0.5 0.5 9 9 re S 2 2 m 8 8 l 2 8 m 8 2 l S", "1 w 0.5 0.5 9 9 re S"


def stream(entries: str, data: str) -> str:
    return f"<< {entries} /Length {len(data)} >>\nstream\n{data}\nendstream"


def field(rect: str, entries: str) -> str:
    return f"<< /Type /Annot /Subtype /Widget /Rect [{rect}] /F 4 /P 3 0 R {entries} >>"


def box(rect: str, state: str) -> str:
    looks = "/AP << /N << /Yes 10 0 R /Off 11 0 R >> >>"
    return field(rect, f"/FT /Btn /T (box {rect}) /V /{state} /AS /{state} {looks}")


def form(path: Path) -> Path:
    """A page with two boxes, a text field and a choice; of the fields the file holds nothing but their values."""
    fields = "[6 0 R 7 0 R 8 0 R 9 0 R]"
    shape = "/Type /XObject /Subtype /Form /BBox [0 0 10 10] /Resources << >>"
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields {fields} /DR << /Font << /F1 5 0 R >> >> >> >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Contents 4 0 R /Annots {fields} "
        "/Resources << /Font << /F1 5 0 R >> >> >>",
        stream("", TEXT),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        box("40 248 50 258", "Yes"),
        box("40 228 50 238", "Off"),
        field("100 196 300 212", "/FT /Tx /T (name) /V (Ada Lovelace) /DA (/F1 11 Tf 0 g)"),
        field("100 176 300 192", "/FT /Ch /Ff 131072 /T (land) /V (Norway) /Opt [(Norway)] /DA (/F1 11 Tf 0 g)"),
        stream(shape, TICKED),
        stream(shape, EMPTY),
    ]
    data, places = b"%PDF-1.7\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{text}\nendobj\n".encode()
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    count = len(objects) + 1
    end = f"trailer << /Size {count} /Root 1 0 R >>\nstartxref\n{len(data)}\n%%EOF"
    path.write_bytes(data + f"xref\n0 {count}\n0000000000 65535 f \n{table}{end}".encode())
    return path


def test_values_are_text_and_boxes_are_marks(tmp_path):
    with open_document(form(tmp_path / "form.pdf"), name="form.pdf") as document:
        content = document.page(1)
        words = with_marks(words_of(content.characters), content.marks)
    said = [word.text for word in sorted(words, key=lambda word: (round(word.baseline / 6), word.box.x0))]
    assert said == ["☑", "I", "agree", "☐", "I", "do", "not", "Name:", "Ada", "Lovelace", "Country:", "Norway"]
