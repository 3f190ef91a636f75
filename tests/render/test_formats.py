"""A suffix belongs to one format."""

import pytest

from docparse.errors import UsageError
from docparse.render.formats import FORMATS, Format, by_suffix


@pytest.mark.parametrize(
    ("suffixes", "reason"),
    [
        ((".htm",), "^format mine: .htm is a suffix of html already$"),
        (("mine",), "^format mine: the suffix 'mine' has no dot"),
        (".mine", "^format mine: the suffix 'm' has no dot"),
    ],
)
def test_a_suffix_that_is_none_or_taken_is_refused(suffixes, reason):
    with pytest.raises(UsageError, match=reason):
        by_suffix({**FORMATS, "mine": Format(FORMATS["html"].write, suffixes)})
