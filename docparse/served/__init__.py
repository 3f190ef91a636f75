"""A model that somebody else serves: an OpenAI-compatible endpoint (vLLM, SGLang, llama.cpp, `transformers serve`)."""

from docparse.served.client import Server, ServerGone
from docparse.served.server_check import Served, check_server
from docparse.served.sizes import served_size
from docparse.served.usage import request_for, text_of
from docparse.served.wire import RequestFailure, RequestOutcome, ServedRequest

__all__ = [
    "RequestFailure",
    "RequestOutcome",
    "Served",
    "ServedRequest",
    "Server",
    "ServerGone",
    "check_server",
    "request_for",
    "served_size",
    "text_of",
]
