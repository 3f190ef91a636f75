"""Every way to write a stack means one stack with one spelling; what means nothing is refused in one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.accel.aircache import AirCache
from docparse.accel.auto import Auto
from docparse.accel.divprune import DivPrune
from docparse.accel.fastocr import FastOcr
from docparse.accel.hsd import Hsd
from docparse.accel.lookup import Lookup
from docparse.accel.random_prune import RandomPrune
from docparse.accel.rtprune import RtPrune
from docparse.accel.stack import ALONE, METHODS, Stack, parse_stack
from docparse.accel.vsd import Vsd
from docparse.errors import UsageError


@pytest.mark.parametrize(
    ("text", "methods"),
    [
        ("none", ()),
        ("lossless", (Hsd(tau=1.0),)),
        ("balanced", (FastOcr(), Hsd(tau=0.75))),
        ("FAST", Auto(lossy=True).candidates),
        ("auto", (Auto(),)),
        ("auto(lossy=true)", (Auto(lossy=True),)),
        ("auto:lossy=on", (Auto(lossy=True),)),
        ("hsd", (Hsd(),)),
        ("hsd()", (Hsd(),)),
        ("hsd(tau=0.75,n=3)", (Hsd(tau=0.75, n=3),)),
        ("hsd:tau=0.75,n=3", (Hsd(tau=0.75, n=3),)),
        (" hsd( n = 4 , tau = 1 ) ", (Hsd(n=4),)),
        ("hsd:text-layer=off,output=no", (Hsd(text_layer=False, output=False),)),
        ("hsd:rule=ratio,regions=never", (Hsd(rule="ratio", regions="never"),)),
        ("lookup:tokens=5", (Lookup(tokens=5),)),
        ("vsd(model=/models/a+b)", (Vsd(model="/models/a+b"),)),
        ("rtprune", (RtPrune(ratio=None),)),
        ("rtprune:ratio=0.25,theta=0.1", (RtPrune(ratio=0.25, theta=0.1),)),
        ("random(keep=0.5,seed=7)", (RandomPrune(keep=0.5, seed=7),)),
        ("hsd+rtprune", (RtPrune(), Hsd())),
        ("divprune:keep=0.5+lookup", (DivPrune(keep=0.5), Lookup())),
    ],
)
def test_what_a_stack_means(text, methods):
    assert parse_stack(text) == Stack(methods)


stacks = st.one_of(
    st.just(Stack()),
    st.builds(
        Hsd,
        tau=st.floats(0.0, 1.0),
        n=st.integers(1, 16),
        rule=st.sampled_from(("log-ratio", "ratio")),
        nodes=st.integers(1, 256),
        regions=st.sampled_from(("auto", "always", "never")),
        ocr=st.booleans(),
        output=st.booleans(),
    ).map(lambda method: Stack((method,))),
    st.builds(
        lambda *methods: Stack(methods), st.builds(RtPrune, ratio=st.none() | st.floats(0.0, 0.99)), st.builds(Hsd)
    ),
    st.builds(Lookup, n=st.integers(1, 9), tokens=st.integers(1, 99)).map(lambda method: Stack((method,))),
)


@given(stacks)
def test_a_stack_is_read_back_from_its_spelling(stack):
    assert parse_stack(str(stack)) == stack


def test_the_spelling_leaves_defaults_out():
    assert str(parse_stack("none")) == "none"
    assert str(parse_stack("lossless")) == str(parse_stack("hsd:tau=1,n=3")) == "hsd"
    assert str(parse_stack("HSD:n=4")) == "hsd(n=4)" and str(parse_stack("Lossless")) == "hsd"
    assert str(parse_stack("NONE")) == "none"
    assert str(parse_stack("auto:lossy=off")) == "auto" and str(parse_stack("Auto:lossy=on")) == "auto(lossy=true)"
    assert parse_stack("VSD:model=./Mine").drafting == Vsd(model="./Mine")
    assert str(parse_stack("hsd:n=4,tau=0.75,ocr=off")) == "hsd(tau=0.75,n=4,ocr=false)"


def test_methods_are_spelled_in_the_order_in_which_a_page_meets_them():
    assert (
        str(parse_stack("hsd+rtprune:ratio=0.1"))
        == str(parse_stack("rtprune(ratio=0.1)+hsd"))
        == ("rtprune(ratio=0.1)+hsd")
    )


def test_every_seam_has_its_place():
    stack = parse_stack("hsd+fastocr:keep=0.3+aircache:budget=0.2+rtprune")
    assert str(stack) == "rtprune+aircache(budget=0.2)+fastocr(keep=0.3)+hsd"
    assert stack.compressing == AirCache(budget=0.2)
    assert stack.selecting == FastOcr(keep=0.3)
    assert parse_stack("hsd").compressing is None is parse_stack("hsd").selecting


@pytest.mark.parametrize("apart", ["streamingllm", "h2o", "snapkv", "pyramidkv:visual=on"])
def test_selection_needs_heads_that_keep_the_same_rows(apart):
    name = apart.partition(":")[0]
    with pytest.raises(UsageError, match=f"fastocr tells all heads .* with {name} .*: use vlcache, aircache, prefixkv"):
        parse_stack(f"fastocr+{apart}")


def test_only_exact_drafting_is_lossless():
    for text in ("none", "hsd", "lookup", "lossless", "auto"):
        assert parse_stack(text).lossless
    for text in ("hsd:tau=0.9", "rtprune+hsd", "balanced", "fast", "auto:lossy=on"):
        assert not parse_stack(text).lossless


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("hds", "--accel hds: there is no method 'hds'; did you mean 'hsd'?"),
        ("losless", "--accel losless: there is no method 'losless'; did you mean 'lossless'?"),
        ("xyz", f"--accel xyz: there is no method 'xyz': use one of {', '.join((*ALONE, *METHODS))}"),
        (
            "lossless(tau=0.5)",
            "--accel lossless(tau=0.5): lossless takes no parameters: write the methods that it stands for",
        ),
        ("none(n=3)", "--accel none(n=3): none takes no parameters: write the methods that it stands for"),
        ("auto:tau=0.5", "--accel auto: 'tau' is not a parameter: it has lossy, keep, layers, most, full"),
        ("auto:keep=0.5", "--accel auto: keep, layers, most and full are of methods with loss: add lossy=true"),
        ("auto:lossy=on,most=1", "--accel auto: most=1: use a value from 0 to 0.99"),
        ("fastocr:layers=0-3", "--accel fastocr: layers=0-3: write numbers of layers, such as 0/3"),
        ("balanced+rtprune", "--accel balanced cannot be combined: leave it out, or leave the other methods out"),
        ("hsd+auto", "--accel auto cannot be combined: leave it out, or leave the other methods out"),
        ("hsd:taus=1", "--accel hsd: 'taus' is not a parameter; did you mean 'tau'?"),
        ("lookup:q=1", "--accel lookup: 'q' is not a parameter: it has n, tokens"),
        ("hsd:tau", "--accel hsd: tau needs a value: write tau=VALUE"),
        ("hsd:tau=high", "--accel hsd: tau=high is not a number"),
        ("hsd:n=2.5", "--accel hsd: n=2.5 is not a whole number"),
        ("hsd:ocr=maybe", "--accel hsd: ocr=maybe is not true or false"),
        (
            "hsd:regions=alway",
            "--accel hsd: regions=alway is not one of auto, always, never, only; did you mean 'always'?",
        ),
        ("hsd:tau=2", "--accel hsd: tau=2: use a value from 0 to 1"),
        ("lookup:tokens=0", "--accel lookup: tokens=0: use a value from 1 to 256"),
        ("vsd:tokens=0", "--accel vsd: tokens=0: use a value from 1 to 256"),
        ("hsd+none", "--accel none cannot be combined: leave it out, or leave the other methods out"),
        ("rtprune:ratio=much", "--accel rtprune: ratio=much is not a number"),
        ("rtprune:ratio=1", "--accel rtprune: ratio=1: use a value from 0 to 0.99"),
        ("visionzip-like:keep=2", "--accel visionzip-like: keep=2: use a value from 0 to 1"),
        (
            "rtprune+random",
            "--accel rtprune+random: rtprune and random both decide which visual tokens the model reads: use one of "
            "them",
        ),
        ("vlcache:budget=0", "--accel vlcache: budget=0: use a value from 0.01 to 1"),
        ("snapkv:kernel=4", "--accel snapkv: kernel=4: use an odd number, as many rows on either side"),
        (
            "aircache+vlcache",
            "--accel aircache+vlcache: aircache and vlcache both decide which rows of the cache stay: use one of them",
        ),
        ("hsd:n=3,n=4", "--accel hsd: n is given twice"),
        (
            "hsd+lookup",
            "--accel hsd+lookup: hsd and lookup both propose what is written next, and a step verifies one proposal: "
            "use one of them",
        ),
    ],
)
def test_what_means_nothing_is_refused_in_one_line(text, says):
    with pytest.raises(UsageError) as raised:
        parse_stack(text)
    assert str(raised.value) == says


@pytest.mark.parametrize("text", ["hds", "hsd:tau=2", "hsd:taus=1", "hsd+lookup", "hsd tau=1", "snapkv:kernel=4"])
def test_a_refusal_names_the_option_that_was_typed(text):
    with pytest.raises(UsageError, match=r"^--method ") as raised:
        parse_stack(text, "--method")
    assert "--accel" not in str(raised.value)


@pytest.mark.parametrize("text", ["", "+", "hsd+", "hsd(", "hsd)", "hsd(tau=1))", "hsd tau=1"])
def test_broken_spelling_is_refused(text):
    with pytest.raises(UsageError, match=r"^--accel "):
        parse_stack(text)
