"""The memory of captured passes, without a device."""

import torch

from docparse.engine import graphs


class Graph:
    def __init__(self, handle):
        self.handle = handle

    def pool(self):
        return self.handle


def test_graphs_share_memory_as_long_as_one_lives_and_a_later_one_gets_its_own(monkeypatch):
    handles = iter(range(1, 9))
    monkeypatch.setattr(torch.cuda, "graph_pool_handle", lambda: next(handles))
    monkeypatch.setattr(graphs, "_living", type(graphs._living)())
    assert graphs._pool() == 1
    graph = Graph(1)
    graphs._living.add(graph)
    assert graphs._pool() == 1
    del graph
    assert graphs._pool() == 2
