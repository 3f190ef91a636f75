"""What the model writes twice instead of the same draft tokens is a habit; once is an accident."""

from hypothesis import given
from hypothesis import strategies as st

from docparse.accel.edits import MAX_HABIT, Habits

DRAFT = [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5]


def parted(habits: Habits, place: int, back: int, written: list[int]) -> list[int]:
    """The output leaves the draft before `place` and comes back at `back`; the common sequence afterwards."""
    tokens = DRAFT + written
    habits.note(tokens, place, back, len(DRAFT), len(tokens))
    return tokens


def test_the_second_time_makes_the_habit():
    habits = Habits()
    tokens = parted(habits, 2, 3, [8, 9])
    assert habits.at(tokens, 7) is None
    tokens = parted(habits, 7, 8, [8, 9])
    habit = habits.at(tokens, 12)
    assert (tokens[habit.begin : habit.begin + habit.length], habit.skip, habit.context) == ([8, 9], 1, 2)


def test_two_different_changes_are_none():
    habits = Habits()
    parted(habits, 2, 3, [8, 9])
    tokens = parted(habits, 7, 8, [7])
    assert habits.at(tokens, 12) is None


def test_the_token_alone_is_enough_where_what_precedes_it_differs():
    habits = Habits()
    for _ in range(2):
        habits.note([1, 3, 4, 8], 1, 2, 3, 4)
    habit = habits.at([6, 3, 4, 8], 1)
    assert habit.context == 1


def test_what_was_written_as_the_draft_has_it_is_no_part_of_the_habit():
    """Found again only two tokens later: those two are the draft's own."""
    habits = Habits()
    parted(habits, 2, 5, [8, 4, 5])
    tokens = parted(habits, 7, 10, [8, 4, 5])
    habit = habits.at(tokens, 12)
    assert (habit.length, habit.skip) == (1, 1)


@given(st.integers(MAX_HABIT + 1, 2 * MAX_HABIT))
def test_a_long_difference_is_no_habit(length):
    habits = Habits()
    for _ in range(3):
        tokens = parted(habits, 2, 3, list(range(100, 100 + length)))
    assert habits.at(tokens, 7) is None
