"""`--lang` promises something about the document, and only what can be kept is accepted."""

import pytest

from docparse.errors import EnvironmentProblem, UsageError
from docparse.languages import check_languages


@pytest.mark.parametrize("text", ["auto", "en", "de,fr", "zh-Hans", " ja "])
def test_readable(text):
    check_languages(text)


@pytest.mark.parametrize("text", ["ar", "en,ru", "ko", "vi"])
def test_what_the_model_cannot_read_is_a_problem_of_the_environment(text):
    with pytest.raises(EnvironmentProblem, match="text layer"):
        check_languages(text)


@pytest.mark.parametrize("text", ["", "english!", "klingon", "en,,de"])
def test_what_is_no_code_is_a_usage_error(text):
    with pytest.raises(UsageError, match="language code"):
        check_languages(text)
