"""The HTML report: one file that parses, needs nothing else, says every number and lets no name break out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markup import Markup

from docparse.bench.rows import AR, PageFailure
from docparse.bench.show.html import plots
from docparse.bench.show.html.write import render

# thirty steps of which each accepts two of its four draft tokens
DRAFTED = {"steps": 30, "steps_with_candidates": 30, "accepted": 60, "accepted_per_step": (2,) * 30}
DRAFTED |= {"accepted_by_source": {"ocr": 60}, "proposed_by_source": {"ocr": 120}}


@pytest.fixture(scope="module")
def html(row, report_of):
    """Two pages by the baseline, a lossless method twice as fast, and one that prunes and errs."""
    pruned = {"kept_visual_tokens": 40, "identical": False, "distance": 0.04, "cer": 0.0457}
    rows = [
        each
        for page, long in (("a1", 1.0), ("b1", 2.0))
        for each in (
            row(page, AR, decode=long, cer=0.0312, category=page[0]),
            row(page, "hsd", decode=long / 2, cer=0.0312, category=page[0], **DRAFTED),
            row(page, "rtprune", decode=0.8 * long, category=page[0], **pruned),
        )
    ]
    return render(report_of(rows))


def test_the_file_parses_with_every_tag_closed_and_refers_to_nothing_outside_itself(html):
    assert html.startswith("<!doctype html>")
    page = Markup(html)
    assert page.tags.count("html") == page.tags.count("main") == page.tags.count("h1") == 1
    ids = [value for _, name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    for tag, name, value in page.attributes:
        if name in ("href", "src", "xlink:href", "data", "action", "srcset", "poster"):
            assert value.startswith("data:") or value[1:] in ids, (tag, name, value)
        elif not name.startswith("xmlns"):
            assert "://" not in value
    assert html.count("url(") == html.count("url(#")
    assert "@import" not in html and "fetch(" not in html and "import(" not in html


@settings(max_examples=4)
@given(name=st.text("<>&\"'$\\{}%/ab é中", min_size=1, max_size=30).filter(str.strip))
def test_no_name_breaks_out_of_its_place(row, report_of, name):
    rows = [row(page, method, **DRAFTED) for page in ("a1", f"a{name}") for method in (AR, name)]
    failure = PageFailure(model="m", page=name, method=name, run=0, error=name)
    found = report_of(rows, data=name, settings={name: name}, failures=(failure,))
    page = Markup(render(found))
    assert name.strip() in {text.strip() for text in page.texts(without=("style", "script"))}
    assert page.tags.count("script") == 1


def test_sections_without_anything_to_say_are_left_out(row, report_of):
    html = render(report_of([row("a1", AR)]))
    titles = ("Accepted tokens per step", "CER % by category", "Speedup against accuracy", "What is lost", "Failures")
    assert [title for title in titles if f"<h2>{title}" in html or f"<h3>{title}" in html] == []
    assert "<h3>Where the time goes</h3>" in html
    failure = PageFailure(model="m", page="a1", method=AR, run=0, error="the weights are damaged")
    text = " ".join(Markup(render(report_of([], failures=(failure,)))).texts())  # of a report without rows
    assert "there is nothing to compare" in text and "the weights are damaged" in text


def test_the_plot_of_accepted_tokens_has_the_acceptance_length_of_the_tables(row, report_of):
    """A page without a draft counts in both."""
    found = report_of([row("a1", AR), row("b1", AR), row("a1", "hsd", **DRAFTED), row("b1", "hsd", steps=90)])
    (hsd,) = (each for each in found.summary if (each.method, each.category) == ("hsd", "overall"))
    plot = plots.accepted(found.rows, {"hsd": "red"})
    assert plot is not None
    assert f"{hsd.aal:.2f}" == "0.50" and list(plot.names) == ["hsd: AAL 0.50"]
    # of 120 steps 30 accept two tokens
    assert ">100<" in (svg := plot.panels[0].svg("")) and svg.count('stroke="red"') == 1


def test_a_plot_has_a_named_dot_for_each_method_that_is_near_the_best(row, report_of):
    """Beside plain decoding eighteen settings of two methods; one of them loses nearly all."""
    names = {f"{method}(budget=0.{digit})": 0.9 - digit / 100 for method in ("h2o", "snapkv") for digit in range(1, 10)}
    rows = [row("a1", AR, cer=0.0312)]
    for place, (name, seconds) in enumerate(names.items()):
        rows.append(row("a1", name, decode=seconds, identical=False, cer=0.9 if not place else 0.04 + place / 200))
    many = report_of(rows)
    overall = many.summaries("m", "overall")
    plot = plots.pareto(many.models[0], overall, plots.colours_of(list(many.methods)))
    assert plot is not None
    svg = plot.panels[0].svg("")
    assert "<title>h2o(budget=0.9): " in svg and "h2o(budget=0.1): " not in svg
    assert svg.count("<circle") == len(many.methods) - 1
    assert plot.caption.endswith("more than 30 points below the best: 1.")
    assert list(plot.names) == [AR, "h2o", "snapkv"]


def test_what_is_lost_is_drawn_over_density_where_pages_differ_in_it(row, report_of):
    def drawn(sparse):
        found = []
        for page, density in (("a", sparse), ("b", 2.0)):
            found.append(row(page, AR, density=density, category=page, cer=0.0312))
            found.append(row(page, "h2o", density=density, category=page, cer=0.0312 + density / 10, identical=False))
        return plots.over_density(report_of(found).summaries("m"), {AR: "grey", "h2o": "red"})

    assert drawn(1.5) is None
    plot = drawn(0.2)
    assert plot is not None and list(plot.names) == ["h2o"]
    assert plot.panels[0].svg("").count("<circle") == 2


@pytest.mark.parametrize("count", [2, 9])
def test_of_many_methods_the_settings_of_one_share_its_colour(count):
    methods, stack = [f"h2o(budget=match:fastocr(keep=0.{n}))" for n in range(count)], "h2o(budget=0.5)+hsd(tau=0.75)"
    found = plots.colours_of([AR, *methods, stack])
    assert found.pop(AR) == "var(--muted)"
    assert found.pop(stack) not in found.values()
    assert len(set(found.values())) == (1 if count > 2 else count)


@given(low=st.floats(-1e6, 1e6), size=st.floats(1e-3, 1e6))
def test_ticks_are_few_round_and_within(low, size):
    found = plots.ticks(low, low + size)
    assert 1 <= len(found) <= 8
    assert all(low - size * 1e-6 - 1e-9 <= each <= low + size * (1 + 1e-6) + 1e-9 for each in found)
