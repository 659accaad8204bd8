"""Draws what `contrib/soak mixed` saw, as an SVG without any library."""
import math

PANELS = (("Resident memory, MiB", (("rss_mib", "#0072b2"),)), ("Descriptors and threads", (("descriptors", "#0072b2"),
          ("threads", "#d55e00"))), ("status for another client, ms: 99th percentile and longest",
                                     (("status_p99_ms", "#0072b2"), ("status_max_ms", "#d55e00"))))
WIDTH, HEIGHT, LEFT, TOP = 760, 170, 60, 26


def step(highest):
    """A round distance between lines of a scale, five of them at the most."""
    power = 10 ** math.floor(math.log10(max(highest, 1e-9) / 5))
    return next(power * factor for factor in (1, 2, 5, 10) if highest <= power * factor * 5)


def panel(rows, title, lines, top):
    """One drawing: its frame, its scale, and a line for each value."""
    highest = max(max(row[key] for row in rows) for key, _ in lines) * 1.05 or 1
    seconds = max(row["seconds"] for row in rows) or 1
    width, height = WIDTH - LEFT - 20, HEIGHT - TOP - 24

    def place(row, key):
        return f"{LEFT + row['seconds'] / seconds * width:.1f},{top + TOP + height * (1 - row[key] / highest):.1f}"
    parts = [f'<text x="{LEFT}" y="{top + 16}" font-weight="bold">{title}</text>']
    distance = step(highest)
    for number in range(int(highest / distance) + 1):
        y = top + TOP + height * (1 - number * distance / highest)
        parts.append(f'<line x1="{LEFT}" x2="{LEFT + width}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
                     f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{number * distance:g}</text>')
    for minute in range(0, int(seconds // 60) + 1, max(1, int(step(seconds / 60)))):
        x = LEFT + minute * 60 / seconds * width
        parts.append(f'<text x="{x:.1f}" y="{top + HEIGHT - 6}" text-anchor="middle">{minute} min</text>')
    for key, colour in lines:
        points = " ".join(place(row, key) for row in rows)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.2"/>')
    return parts


def draw(rows):
    """The picture's text."""
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT * len(PANELS)}" '
             'font-family="sans-serif" font-size="11">', '<rect width="100%" height="100%" fill="white"/>']
    for number, (title, lines) in enumerate(PANELS):
        parts += panel(rows, title, lines, number * HEIGHT)
    return "\n".join([*parts, "</svg>", ""])
