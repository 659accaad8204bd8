"""Does the same work on both servers in turn and compares how long it takes and what they answer."""
import contextlib
import math
import statistics
import time

from connection import Recorder, Refused

#: Beyond this the rest of the rounds is left out; medians of slow work need fewer.
_SECONDS_PER_LINE = 40


def compare(workload, servers, sample, runs):
    """Runs a workload on the servers in turn, A B A B; returns its line of the table."""
    line = {"name": workload.name, "target": workload.target, "servers": {}}
    digests, trouble = {}, {}
    for server in servers:
        try:
            digests[server.name] = _rehearse(workload, server, sample)
        except (Refused, OSError) as error:
            trouble[server.name] = str(error)
    times = {server.name: [] for server in servers}
    begin = time.monotonic()
    for round_number in range(runs):
        for server in servers:
            if server.name not in trouble:
                times[server.name].append(_time(workload, server, sample))
        if round_number >= 1 and time.monotonic() - begin > _SECONDS_PER_LINE:
            break
    for server in servers:
        measured = times[server.name]
        line["servers"][server.name] = {
            "ms": statistics.median(measured) * 1000 if measured else None,
            "all_ms": [round(seconds * 1000, 4) for seconds in measured], "answer": digests.get(server.name)}
    line["void"] = _why_void(workload, digests, trouble)
    medians = [line["servers"][server.name]["ms"] for server in servers]
    line["ratio"] = medians[0] / medians[1] if len(medians) == 2 and None not in medians else None
    return line


def _prepare(workload, server, sample):
    if workload.queue:
        server.fill_queue()
        server.queue_is_whole = workload.queue == "full"
    if workload.before:
        with server.connect() as client:
            workload.before(client, sample)


def _clean(workload, server, sample):
    if workload.after:
        with server.connect() as client:
            workload.after(client, sample)


def _rehearse(workload, server, sample):
    """The round that warms up; returns what was answered."""
    _prepare(workload, server, sample)
    with server.connect() as client:
        recorder = Recorder(client)
        workload.run(recorder if workload.same else client, sample)
    _clean(workload, server, sample)
    return recorder.digest() if workload.same else None


def _time(workload, server, sample):
    _prepare(workload, server, sample)
    placed = server.on_one_core() if workload.in_turns else contextlib.nullcontext()
    with server.connect() as client, placed:
        begin = time.perf_counter()
        timed = workload.run(client, sample)
        seconds = time.perf_counter() - begin
    _clean(workload, server, sample)
    return timed if isinstance(timed, float) else seconds


def _why_void(workload, digests, trouble):
    """Why the times cannot be compared; None if they can."""
    if trouble:
        return "; ".join(f"{name}: {text}" for name, text in trouble.items())
    answers = list(digests.values())
    if workload.same and len(answers) == 2 and answers[0] != answers[1]:
        keys = [key for key in answers[0] if answers[0][key] != answers[1][key]]
        return "; ".join(f"{key} {answers[0][key]} : {answers[1][key]}" for key in keys)
    return None


def summary(lines):
    """The geometric mean of the ratios, and which lines miss their targets."""
    ratios = [line["ratio"] for line in lines if line["ratio"] and not line["void"]]
    return {
        "lines": len(ratios), "void": [line["name"] for line in lines if line["void"]],
        "geometric_mean": math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None,
        "slower": [line["name"] for line in lines if line["ratio"] and not line["void"] and line["ratio"] > 1],
        "missed": [line["name"] for line in lines
                   if line["ratio"] and not line["void"] and line["ratio"] > line["target"]]}
