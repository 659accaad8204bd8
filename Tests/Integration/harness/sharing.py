"""What all workers of a run use: made by the first that needs it."""
import fcntl
import os
import pickle
import shutil


def shared_folder(tmp_path_factory):
    """The run's folder, the same for all workers."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


def made_once(tmp_path_factory, name, make):
    """A folder that `make` fills, and what `make` returned; it is called by one worker, and the others wait for it."""
    root = shared_folder(tmp_path_factory)
    folder, result = root / name, root / f"{name}.result"
    with open(root / f"{name}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not result.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            result.write_bytes(pickle.dumps(make(folder)))
        return folder, pickle.loads(result.read_bytes())
