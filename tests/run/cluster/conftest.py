"""Ray clusters of several nodes on this machine."""

import os

import pytest

pytest.importorskip("ray", reason="Ray is not installed: the extra docparse[ray]")
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"


@pytest.fixture(scope="module")
def two_nodes():
    """A cluster of two nodes with a core each; the driver, who comes later, is on the first."""
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 1, "num_gpus": 1, "include_dashboard": False}  # Ray counts GPUs and does not look for them
    cluster = Cluster(initialize_head=True, head_node_args=head)
    cluster.add_node(num_cpus=1)
    yield cluster
    cluster.shutdown()
