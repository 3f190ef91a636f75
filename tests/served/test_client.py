"""Requests to a server that misbehaves: each comes back once, with its own answer or with the reason in one line."""

import gc
import threading
import weakref
from dataclasses import replace

import numpy as np
import pytest
from fake_server import MODEL, FakeServer, at_random, markdown_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docparse.errors import EnvironmentProblem, ExitCode
from docparse.served import ServedRequest, Server, ServerGone
from docparse.served.client import GONE_AFTER

PASSING = ("408", "425", "429", "500", "502", "503", "504", "cut", "drop", "html", "empty", "null", "abort")
PASSING += ("short", "long")
LINES = {
    "429": "status 429: status 429 as planned",
    "500": "status 500: status 500 as planned",
    "hang": "no answer within 0.3 s",
    "trickle": "no answer within 0.3 s",
    "cut": "the connection broke",
    "drop": "the connection broke",
    "short": "the connection broke",
    "html": "the answer is no chat completion",
    "long": "the answer is no chat completion",
    "empty": "a chat completion without a choice",
    "null": "a chat completion without text",
    "abort": "a chat completion that ended with 'abort'",
    "endless": "an answer of more than 32 MiB",
}


def short(fault):
    """A time limit that is only as short as it must be: the machine of a test may be busy."""
    return {"timeout": 0.3} if fault in ("hang", "trickle") else {}


def png(request):
    import base64
    import json

    url = json.loads(request.encoded(MODEL))["messages"][-1]["content"][0]["image_url"]["url"]
    return base64.b64decode(url.partition(",")[2])


@pytest.mark.parametrize("fault", [*PASSING, "endless"])
def test_what_may_pass_is_tried_again(fault, fake, client, request_of, ask):
    asked = request_of()
    [outcome] = ask(client(fake([fault]).url), asked)
    assert outcome.failure is None
    assert outcome.text == markdown_of(png(asked))
    assert outcome.attempts == 2 or fault == "long"  # the rest of too long an answer spoils the next one's beginning


@pytest.mark.parametrize("fault", LINES)
def test_after_the_last_attempt_it_comes_back_with_the_reason(fault, fake, client, ask):
    retries = 0 if fault == "long" else 1
    server = client(fake(lambda _: fault).url, retries=retries, **short(fault))
    [outcome] = ask(server)
    assert outcome.failure.kind == "temporary"
    assert outcome.failure.line.startswith(server.address.base + ": ")
    assert LINES[fault] in outcome.failure.line
    assert "\n" not in outcome.failure.line
    assert (outcome.attempts, outcome.text) == (retries + 1, "")


@pytest.mark.parametrize("status", ["307", "400", "401", "403", "404", "413", "422"])
def test_what_the_server_refuses_is_not_asked_again(status, fake, client, ask):
    refusing = fake(lambda _: status)
    [outcome] = ask(client(refusing.url))
    assert (outcome.failure.kind, outcome.attempts, refusing.number) == ("permanent", 1, 1)


def test_a_retry_after_is_waited_for(fake, client, ask):
    server = client(fake(["503:Wed, 21 Oct 2015 07:28:00 GMT", "503:soon", "429:1"]).url)
    began = server._background.loop.time()
    assert ask(server)[0].attempts == 4  # a date in the past is no reason to wait
    assert 1.0 <= server._background.loop.time() - began < 100.0  # the pause alone would be a hundredth


def test_tokens_and_ending_are_those_that_the_server_tells(fake, client, ask):
    server = client(fake(["length", "ok"]).url)
    for ending in ("length", "stop"):
        [outcome] = ask(server)
        assert (outcome.ending, outcome.tokens) == (ending, len(outcome.text.split()))


def test_a_request_as_it_is_sent(fake, client, request_of, ask, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    asked = fake(key="sk-secret")
    server, picture = client(asked.url), request_of().picture
    for request in (
        ServedRequest(picture, "Read this.", 100, body={"skip_special_tokens": False}),
        ServedRequest(picture, "Read this.", 100, text_first=True, system=""),
        ServedRequest(picture, "", 100),
    ):
        assert ask(server, request)[0].failure is None
    url = {"type": "image_url", "image_url": {"url": "data:image/png;base64,"}}
    text = {"type": "text", "text": "Read this."}
    assert asked.requests[0] == {
        "model": MODEL,
        "messages": [{"role": "user", "content": [url, text]}],
        "max_tokens": 100,
        "temperature": 0.0,
        "skip_special_tokens": False,
    }
    system, user = asked.requests[1]["messages"]
    assert system == {"role": "system", "content": ""}
    assert user["content"] == [text, url]
    assert asked.requests[2]["messages"][0]["content"] == [url]


def test_where_the_context_has_no_room_for_the_limit_it_is_left_out(fake, client, request_of, ask):
    small = fake(lambda _: "context")
    outcomes = ask(client(small.url, in_flight=1), *map(request_of, range(3)))
    assert all(outcome.failure is None for outcome in outcomes)
    assert ["max_tokens" in body for body in small.requests] == [True, False, False, False]


def test_a_field_that_the_server_does_not_know_is_left_out_and_said_once(fake, client, request_of, ask, caplog):
    strict = fake(lambda _: "unknown vllm_xargs")
    body = {"vllm_xargs": {"ngram_size": 30}, "repetition_penalty": 1.0}
    outcomes = ask(client(strict.url, in_flight=1), *(replace(request_of(number), body=body) for number in range(3)))
    assert all(outcome.failure is None for outcome in outcomes)
    assert ["vllm_xargs" in sent for sent in strict.requests] == [True, False, False, False]
    assert all("repetition_penalty" in sent for sent in strict.requests)
    assert caplog.messages == [f"{strict.url} refuses vllm_xargs: it is asked without"]


def test_requests_that_were_on_their_way_with_a_refused_field_are_sent_again(fake, client, request_of, ask, caplog):
    strict, body = fake(lambda _: "unknown vllm_xargs", delay=0.2), {"vllm_xargs": {"ngram_size": 30}}
    outcomes = ask(client(strict.url, in_flight=6), *(replace(request_of(number), body=body) for number in range(6)))
    assert all(outcome.failure is None for outcome in outcomes)
    assert len(caplog.messages) == 1


def test_a_refusal_that_only_repeats_the_request_teaches_nothing(fake, client, request_of, ask, caplog):
    """Some servers answer with the whole request, whatever they refuse."""
    server = client(fake(lambda _: "echo").url)
    [outcome] = ask(server, replace(request_of(0), body={"repetition_penalty": 1.0}))
    assert outcome.failure.kind == "permanent"
    assert not caplog.messages


def test_a_cancelled_request_does_not_come_back_and_frees_its_place(fake, client, request_of, all_of):
    hanging = fake(["hang"])
    server = client(hanging.url, in_flight=1)
    hangs = server.submit(request_of(0))
    while not hanging.now:
        threading.Event().wait(0.01)
    others = [server.submit(request_of(number)) for number in (1, 2)]
    server.cancel(hangs)
    assert set(all_of(server, 2)) == set(others)
    assert server.finished(0.0) == []


def test_a_result_that_was_cancelled_too_late_does_not_come_back_either(fake, client, request_of, all_of):
    server = client(fake().url, in_flight=1)
    first = server.submit(request_of(0))
    while not server._done.qsize():
        threading.Event().wait(0.01)
    second = server.submit(request_of(1))
    server.cancel(first)
    assert set(all_of(server, 1)) == {second}


def test_a_server_that_is_not_there_any_more_is_given_up(client, request_of, all_of):
    ended = FakeServer()
    ended.server_close()
    server = client(ended.url, in_flight=1, retries=1)
    handles = [server.submit(request_of()) for _ in range(GONE_AFTER + 2)]
    outcomes = list(all_of(server, len(handles)).values())  # as they came back
    kinds = [outcome.failure.kind for outcome in outcomes]
    assert kinds == ["temporary"] * (GONE_AFTER - 1) + ["gone"] * 3
    assert [outcome.attempts for outcome in outcomes] == [2] * GONE_AFTER + [0, 0]
    why = r"no connection \(Connection refused\); 5 requests in a row came to nothing"
    with pytest.raises(ServerGone, match=why) as gone:
        server.submit(request_of())
    assert gone.value.exit_code == ExitCode.ENVIRONMENT
    assert isinstance(gone.value, EnvironmentProblem)


def test_a_server_that_answers_now_and_then_is_not_given_up(fake, client, request_of, ask):
    server = client(fake(lambda number: "ok" if number % GONE_AFTER == 0 else "503").url, retries=0, in_flight=1)
    ask(server, *[request_of()] * 4 * GONE_AFTER)
    assert not server.gone


def test_giving_up_does_not_wait_for_pauses(fake, client, request_of, all_of):
    """One request is told to wait for minutes; the others find that the server refuses everything."""
    refusing = fake(["429:300", *["403"] * GONE_AFTER])
    server = client(refusing.url, in_flight=2)
    waits = server.submit(request_of())
    while not refusing.number:
        threading.Event().wait(0.01)
    for number in range(GONE_AFTER):
        server.submit(request_of(number))
    assert all_of(server, GONE_AFTER + 1)[waits].failure.kind == "gone"


def test_the_key_is_in_no_message(fake, client, ask, monkeypatch):
    monkeypatch.setenv("DOCPARSE_SERVER_KEY", "sk-secret")
    server = client(fake(key="another").url)
    line = ask(server)[0].failure.line
    assert line.endswith("the key in DOCPARSE_SERVER_KEY is refused: set DOCPARSE_SERVER_KEY")
    assert "sk-secret" not in f"{line} {server!r} {server.address!r} {vars(server)}"
    assert server.address.hide("Bearer sk-secret is wrong") == "Bearer *** is wrong"  # where a server repeats it


def test_connections_are_used_again_and_room_is_what_is_worth_submitting(fake, client, request_of, all_of, ask):
    asked = fake()
    server = client(asked.url, in_flight=3)
    room = server.room
    for number in range(room):
        server.submit(request_of(number))
    assert server.room == 0
    all_of(server, room)
    assert server.room == room
    ask(server, *map(request_of, range(40)))
    assert asked.connections <= 3


def test_a_picture_that_cannot_be_sent_comes_back_too(fake, client, ask):
    [outcome] = ask(client(fake().url), ServedRequest(np.zeros((4, 4, 7), np.uint8), "", 10))
    assert outcome.failure.kind == "permanent"


def test_pictures_are_let_go_of(fake, client, request_of, all_of):
    server = client(fake().url)
    requests = [request_of(number) for number in range(5)]
    pictures = [weakref.ref(request.picture) for request in requests]
    while requests:
        server.submit(requests.pop())
    all_of(server, 5)
    gc.collect()
    assert [picture() for picture in pictures] == [None] * 5


def test_closing_breaks_off_what_is_under_way(fake, request_of):
    hanging = fake(lambda _: "hang")
    before = threading.active_count()
    with Server(hanging.url, model=MODEL, in_flight=2) as server:
        for number in range(4):
            server.submit(request_of(number))
        while hanging.now < 2:
            threading.Event().wait(0.01)
    server.close()
    assert "docparse-server" not in [thread.name for thread in threading.enumerate()]
    assert threading.active_count() <= before + 4  # the fake server's own, and idle encoders


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000), in_flight=st.integers(1, 9), rate=st.floats(0.0, 0.5))
def test_every_request_comes_back_once_with_its_own_answer_whatever_happens(
    seed, in_flight, rate, fake, client, request_of, all_of
):
    server = fake(at_random(rate, seed, PASSING))
    asking = client(server.url, in_flight=in_flight, retries=30, pause=0.001)
    asked = {asking.submit(request): png(request) for request in map(request_of, range(40))}
    outcomes = all_of(asking, len(asked))
    assert all(outcome.text == markdown_of(asked[handle]) for handle, outcome in outcomes.items())
    assert server.most <= in_flight
    assert asking.finished(0.0) == []
