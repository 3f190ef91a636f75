"""Every way to write a stack means one stack with one spelling; what means nothing is refused in one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.accel.auto import Auto
from docparse.accel.divprune import DivPrune
from docparse.accel.fastocr import FastOcr
from docparse.accel.hsd import Hsd
from docparse.accel.lookup import Lookup
from docparse.accel.random_prune import RandomPrune
from docparse.accel.rtprune import RtPrune
from docparse.accel.stack import ALONE, METHODS, Stack, by_name, parse_stack
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
        ("hsd:tau=0.75,n=3", (Hsd(tau=0.75, n=3),)),
        (" hsd( n = 4 , tau = 1 ) ", (Hsd(n=4),)),
        ("hsd:text-layer=off,output=no", (Hsd(text_layer=False, output=False),)),
        ("hsd:rule=ratio,regions=never", (Hsd(rule="ratio", regions="never"),)),
        ("vsd(model=/models/a+b)", (Vsd(model="/models/a+b"),)),
        ("rtprune", (RtPrune(ratio=None),)),
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


@pytest.mark.parametrize(
    ("text", "spelling"),
    [
        ("Lossless", "hsd"),
        ("HSD:n=4,tau=0.75,ocr=off", "hsd(tau=0.75,n=4,ocr=false)"),
        ("Auto:lossy=off", "auto"),
        ("hsd+fastocr:keep=0.3+aircache:budget=0.2+rtprune", "rtprune+aircache(budget=0.2)+fastocr(keep=0.3)+hsd"),
        ("divprune(keep=match:aircache(budget=0.3))", "divprune(keep=match:aircache(budget=0.3))"),
        (
            "snapkv(budget=match:fastocr(keep=0.1,focal=0.3),window=8)+hsd",
            "snapkv(budget=match:fastocr(keep=0.1,focal=0.3),window=8)+hsd",
        ),
    ],
)
def test_a_spelling_leaves_defaults_out_and_has_methods_in_the_order_in_which_a_page_meets_them(text, spelling):
    assert str(parse_stack(text)) == spelling
    assert parse_stack(spelling) == parse_stack(text)


@pytest.mark.parametrize("apart", ["streamingllm", "h2o", "snapkv", "pyramidkv:visual=on"])
def test_selection_needs_heads_that_keep_the_same_rows(apart):
    name = apart.partition(":")[0]
    with pytest.raises(UsageError, match=f"fastocr makes all heads .* with {name} .*: use vlcache, aircache, prefixkv"):
        parse_stack(f"fastocr+{apart}")


def test_only_exact_drafting_is_lossless():
    exact = ("none", "hsd", "lookup", "lossless", "auto", "hsd(mode=paper)")
    others = ("hsd:tau=0.9", "rtprune+hsd", "balanced", "fast", "auto:lossy=on", "hsd(regions=only)")
    assert [text for text in (*exact, *others) if parse_stack(text).lossless] == list(exact)


ALL = f"(there are {', '.join((*ALONE, *METHODS))})"
REFUSED = {
    "hds": f"hds: there is no method 'hds'; did you mean 'hsd'? {ALL}",
    **{
        text: f"{name}: there is no method '{name}' {ALL}"
        for text, name in (("xyz", "xyz"), ("snapkv:budget=match:nothing", "nothing"))
    },
    "none(n=3)": "none(n=3): none takes no parameters: write the methods that it stands for",
    "hsd+none": "none cannot be combined: leave it out, or leave the other methods out",
    "hsd+auto": "auto cannot be combined: leave it out, or leave the other methods out",
    "auto:tau=0.5": "auto: 'tau' is not a parameter: it has lossy, keep, layers, most, full",
    "auto:keep=0.5": "auto: keep, layers, most and full belong to lossy methods: add lossy=true",
    "auto:lossy=on,most=1": "auto: most=1: use a value from 0 to 0.99",
    "fastocr:layers=0-3": "fastocr: layers=0-3: write numbers of layers, such as 0/3",
    "hsd:taus=1": "hsd: 'taus' is not a parameter; did you mean 'tau'?",
    "hsd:tau": "hsd: tau needs a value: write tau=VALUE",
    "hsd:tau=high": "hsd: tau: 'high' is not a number",
    "hsd:n=2.5": "hsd: n: '2.5' is not a whole number",
    "hsd:tau=0.75;n=3": "hsd: tau: '0.75;n=3' is not a number; commas part parameters",
    "hsd:ocr=maybe": "hsd: ocr: 'maybe' is not true or false",
    "hsd:regions=alway": "hsd: regions=alway is not one of auto, always, never, only; did you mean 'always'?",
    "hsd:n=3,n=4": "hsd: n is given twice",
    "snapkv:kernel=4": "snapkv: kernel=4: use an odd number, as many rows on either side",
    "rtprune+random": "rtprune+random: rtprune and random both decide which visual tokens the model reads: use one of "
    "them",
    "aircache+vlcache": "aircache+vlcache: aircache and vlcache both decide which rows of the cache stay: use one of "
    "them",
    "hsd+lookup": "hsd+lookup: hsd and lookup both propose what is written next, and a step verifies one proposal: use "
    "one of them",
    "snapkv:budget=match:hsd": "match:hsd: it has no budget to match",
    "snapkv:window=match:fastocr": "snapkv: window: 'match:fastocr' is not a whole number",
    "snapkv:budget=match:rtprune": "match:rtprune: the page decides how much it removes: write "
    "match:rtprune(ratio=0.25)",
    **{f"hsd:tau={value}": f"hsd: tau={value}: use a value from 0 to 1" for value in ("2", "-0.1", "nan")},
    **{f"hsd:{name}=0": f"hsd: {name}=0: use a value from 1 to {most}" for name, most in (("n", 16), ("nodes", 256))},
    **{f"{name}:tokens=0": f"{name}: tokens=0: use a value from 1 to 256" for name in ("lookup", "vsd")},
    "rtprune:ratio=1": "rtprune: ratio=1: use a value from 0 to 0.99",
    "vlcache:budget=0": "vlcache: budget=0: use a value from 0.01 to 1",
    "fastocr:keep=1.1": "fastocr: keep=1.1: use a value from 0 to 1",
    "fastocr:focal=-0.1": "fastocr: focal=-0.1: use a value from 0 to 1",
    "fastocr:gap=0": "fastocr: gap=0: use a value from 1 to 1000",
    "fastocr:warmup=-1": "fastocr: warmup=-1: use a value from 0 to 1e+06",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_means_nothing_is_refused_in_one_line_that_names_the_option_that_was_typed(text):
    for option in ("--accel", "--method"):
        with pytest.raises(UsageError) as raised:
            parse_stack(text, option)
        assert str(raised.value) == f"{option} {REFUSED[text]}"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("fastocr(layers=0/6)", "layers=0/6: the model has layers 0 to 5"),
        ("divprune:keep=match:vlcache", "divprune: vlcache removes text as well, and pruning cannot"),
    ],
)
def test_what_no_model_of_so_many_layers_can_do_is_refused(text, says):
    with pytest.raises(UsageError, match=says):
        parse_stack(text).of_layers(6)


@pytest.mark.parametrize("text", ["", "+", "hsd+", "hsd(", "hsd)", "hsd(tau=1))", "hsd tau=1"])
def test_broken_spelling_is_refused(text):
    with pytest.raises(UsageError, match=r"^--method "):
        parse_stack(text, "--method")


def test_a_name_is_taken_once_and_a_seam_is_one_that_there_is():
    other = type("Mine", (RandomPrune,), {})
    lost = type("Mine", (RandomPrune,), {"name": "mine", "seam": "pruning"})
    with pytest.raises(UsageError, match=r"^Mine: RandomPrune is called 'random' already$"):
        by_name(RandomPrune, other)
    with pytest.raises(UsageError, match=r"^Mine: there is no seam 'pruning': use one of prune, compress, "):
        by_name(lost)
