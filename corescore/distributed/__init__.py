"""Scoring on a cluster of Dask: `pip install corescore[dask]`.

score      the shards of a key and of a response, as `corescore.score` does in memory
OnCluster  where the blocks of randomisation and bootstrap are counted
"""

try:
    from corescore.distributed.resampling import OnCluster
    from corescore.distributed.scoring import score
except ModuleNotFoundError as error:
    if error.name not in ("dask", "distributed", "fsspec"):
        raise
    raise ModuleNotFoundError(
        f"{error.name} is not installed; a cluster needs it: pip install 'corescore[dask]'",
        name=error.name,
    ) from error

__all__ = ["OnCluster", "score"]
