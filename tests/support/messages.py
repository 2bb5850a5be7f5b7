"""What corescore says of input that it refuses."""

import pytest

from corescore import InputError


def message_of(call, *arguments, **options):
    """The message of the refusal; a failed test if the call refuses nothing."""
    with pytest.raises(InputError) as error:
        call(*arguments, **options)
    return str(error.value)


def refusal_of(call, *arguments, **options):
    """The lines of the refusal; none if the call refuses nothing. Any other error is a failure."""
    try:
        call(*arguments, **options)
    except InputError as error:
        return str(error).split("\n")
    return []
