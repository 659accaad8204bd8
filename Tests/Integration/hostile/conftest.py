"""Attacks on the running program: whatever a test does, a server that is attacked has to withstand it."""
import pytest
from harness.watch import Watch, fresh


@pytest.fixture
def target(server, songs_before):
    """The file's `server` while another client watches it; judged after the test, and started again on its state."""
    fresh(server, songs_before)
    with Watch(server, songs_before) as watch:
        yield watch


@pytest.fixture(scope="module")
def songs_before():
    """How many songs the server has before an attack; None where that is of no matter."""
    return None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Judges the server after the test's own assertions."""
    watch = item.funcargs.get("target") if hasattr(item, "funcargs") else None
    try:
        result = yield
        if isinstance(watch, Watch):
            watch.verify()
        return result
    except BaseException:
        if isinstance(watch, Watch):
            watch.server.is_suspect = True
        raise
