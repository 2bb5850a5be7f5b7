"""One Hypothesis profile for all tests: no deadline, so that a slow machine fails none."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "corescore",
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("corescore")
