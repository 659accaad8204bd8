"""Waiting for conditions, never for time to pass."""
import time

from mpd import CommandError


class TimedOut(AssertionError):
    """A condition did not come true in time."""


def wait_for(condition, seconds=30, what="the condition", every=0.05):
    """Calls `condition` until it gives something true, and returns that.

    Errors that are usual while something starts, and refusals of what is not there yet, count as "not yet". The message
    names the last thing seen.
    """
    deadline = time.monotonic() + seconds
    seen = None
    while True:
        try:
            seen = condition()
            if seen:
                return seen
        except (OSError, EOFError, AssertionError, KeyError, IndexError, CommandError) as error:
            seen = error
        if time.monotonic() > deadline:
            raise TimedOut(f"{what} did not come true within {seconds} s; last seen: {seen!r}")
        time.sleep(every)
