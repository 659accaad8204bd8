"""How the cost of each class of commands grows with the library and with the queue."""
import math

from comparing import compare
from workloads import Sample, all_workloads

#: Queues beyond this are not what people have.
LARGEST_QUEUE = 100_000
#: Below this, what is measured is mostly the round trip.
_SMALLEST_FITTED = 10_000
#: Linear work grows a little faster than its size once it leaves the processor's caches.
_LINEAR = 1.15


def measure(bench, sizes, runs, only, say):
    """Measures every class at every size; returns a list of points."""
    points = []
    for songs in sizes:
        say(f"{songs:,} songs")
        with bench.servers(songs) as servers:
            # The same number of questions at every size.
            sample = Sample(servers[0], 20)
            for workload in all_workloads():
                if not workload.growth or only not in workload.name or (workload.queue and songs > LARGEST_QUEUE):
                    continue
                line = compare(workload, servers, sample, runs)
                for server in servers:
                    measured = line["servers"][server.name]
                    # The best of the rounds: what else the machine does must not look like growth.
                    points.append({
                        "class": workload.growth, "work": workload.name, "by": "queue" if workload.queue else "library",
                        "server": server.name, "size": songs, "ms": min(measured["all_ms"], default=None),
                        "answer": measured["answer"]})
                say("  " + workload.name + ": " + ", ".join(
                    f"{point['server']} {point['ms'] or math.nan:.3f} ms" for point in points[-len(servers):]))
    return points


def exponents(points):
    """The power of the size with which each kind of work grows: 0 is constant, 1 linear."""
    result = []
    for key in dict.fromkeys((point["by"], point["work"], point["server"]) for point in points):
        chosen = [(math.log(point["size"]), math.log(point["ms"])) for point in points
                  if (point["by"], point["work"], point["server"]) == key and point["ms"]]
        large = [point for point in chosen if point[0] >= math.log(_SMALLEST_FITTED) - 1e-9]
        fitted = large if len(large) >= 2 else chosen
        if len(fitted) < 2:
            continue
        middle_x = sum(x for x, _ in fitted) / len(fitted)
        middle_y = sum(y for _, y in fitted) / len(fitted)
        slope = (sum((x - middle_x) * (y - middle_y) for x, y in fitted)
                 / sum((x - middle_x) ** 2 for x, _ in fitted))
        result.append({"by": key[0], "work": key[1], "server": key[2], "exponent": slope})
    return result


def print_growth(result, table):
    """A line for each kind of work: its time at each size, and the exponent."""
    sizes = result["sizes"]
    for kind, title in (("library", "Growth with the library"), ("queue", "Growth with the queue")):
        fits = [fit for fit in result["exponents"] if fit["by"] == kind]
        if not fits:
            continue
        shown = [size for size in sizes if kind == "library" or size <= LARGEST_QUEUE]
        table.heading(title, ["Work"] + [f"{size:,}" for size in shown] + ["exponent", ""])
        for fit in fits:
            times = {point["size"]: point["ms"] for point in result["points"]
                     if point["work"] == fit["work"] and point["server"] == fit["server"]}
            remark = "" if fit["exponent"] <= _LINEAR else "more than linear"
            cells = [f"{times[size]:.2f}" if times.get(size) else "-" for size in shown]
            table.row(f"{fit['work']}, {fit['server']}", cells + [f"{fit['exponent']:.2f}"], remark)
