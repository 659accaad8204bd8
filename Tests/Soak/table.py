"""What was seen, as tables."""
LINES = 12


def rows(seen):
    """A dozen of the looks, evenly spread, as a table."""
    step = max(1, (len(seen) - 1) / (LINES - 1))
    places = sorted({min(len(seen) - 1, round(number * step)) for number in range(LINES)})
    lines = ["| Songs | Music s | Clock s | Processor s | Resident MiB | Proportional MiB | Files | Threads |",
             "|---:|---:|---:|---:|---:|---:|---:|---:|"]
    for one in (seen[place] for place in places):
        lines.append(f"| {one['songs']:,} | {one['music']:,.0f} | {one['clock']:,.0f} | {one['cpu']:,.0f} | "
                     f"{one['rss']:.1f} | {one['pss']:.1f} | {one['files']} | {one['threads']} |")
    return lines


def highest(seen, key, first, last):
    """The highest value in a part of the run, given as shares of it."""
    count = len(seen)
    return max(one[key] for one in seen[int(count * first):max(int(count * last), int(count * first) + 1)])


def figures(seen, comparison, heard):
    """What is to be concluded, and whether all of it is well."""
    checks = []
    if comparison.difference is None:
        checks.append((True, f"Every sample is there and in its place ({comparison.frames:,} frames)."))
    else:
        checks.append((False, f"The recording differs from frame {comparison.difference:,} on."))
    # Loading and the first rounds are over after a fifth.
    early, late = highest(seen, "pss", 0.2, 0.6), highest(seen, "pss", 0.6, 1)
    checks.append((late <= early * 1.05 + 1, f"Highest proportional memory {early:.1f} MiB from a fifth of the run on, "
                   f"{late:.1f} MiB in its last two fifths."))
    for key, name in (("files", "Open files"), ("threads", "Threads")):
        early, late = highest(seen, key, 0.2, 0.6), highest(seen, key, 0.6, 1)
        checks.append((late <= early + 4, f"{name}: at most {early} until then, at most {late} after it."))
    difference = heard - comparison.seconds
    checks.append((abs(difference) <= 2, f"Playing time in `stats` {heard} s, in the recording "
                   f"{comparison.seconds:.2f} s: {difference:+.2f} s."))
    return [f"- {text}{'' if is_well else ' **Not well.**'}" for is_well, text in checks], all(
        is_well for is_well, _ in checks)
