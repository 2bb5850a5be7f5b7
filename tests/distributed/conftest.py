"""One cluster in this process for all tests: the tasks run in threads of it."""

import pytest
from distributed import Client, LocalCluster


@pytest.fixture(scope="package")
def cluster():
    settings = {"host": "127.0.0.1", "protocol": "tcp", "dashboard_address": "127.0.0.1:0"}
    with LocalCluster(n_workers=1, threads_per_worker=2, processes=False, **settings) as cluster:
        yield cluster


@pytest.fixture(scope="package")
def client(cluster):
    with Client(cluster) as client:
        yield client
