"""The table for people, as plain text or Markdown."""
import platform
import re
import subprocess
import sys


def machine():
    """What the figures were measured on."""
    cpuinfo = open("/proc/cpuinfo", encoding="utf-8").read()
    model = re.search(r"model name\s*:\s*(.*)", cpuinfo)
    memory = int(re.search(r"MemTotal:\s+(\d+)", open("/proc/meminfo", encoding="utf-8").read())[1])
    return {"processor": model[1] if model else platform.machine(), "cores": cpuinfo.count("processor\t"),
            "memory_mib": memory // 1024, "system": f"{platform.system()} {platform.release().partition('-')[0]}"}


def version(program):
    """The first line of what a program says about itself."""
    answer = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return (answer.stdout or answer.stderr).strip().split("\n")[0]


def figure(value):
    """A number with about three digits that mean something."""
    if value is None:
        return "-"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def verdict(line):
    """What is to be said about a line."""
    if line.get("void"):
        return "void: " + line["void"]
    if line["ratio"] is None or line["target"] is None:
        return ""
    return "" if line["ratio"] <= line["target"] else "missed"


class Table:
    """Rows that are printed as they come, as plain text or as Markdown."""

    def __init__(self, markdown=False, out=None):
        self.markdown, self.out = markdown, out or sys.stdout

    def text(self, line):
        """A paragraph."""
        print(("\n" if self.markdown else "") + line, file=self.out, flush=True)

    def heading(self, title, columns):
        """A title and the names of the columns."""
        if self.markdown:
            print(f"\n{title}:\n\n| " + " | ".join(columns) + " |\n|---" + "|---:" * (len(columns) - 2) + "|---|",
                  file=self.out)
        else:
            print(f"\n{title}\n{columns[0]:62}" + "".join(f"{name:>12}" for name in columns[1:-1]), file=self.out)

    def row(self, name, values, remark=""):
        """A line."""
        if self.markdown:
            line = f"| {name} | " + " | ".join(values) + f" | {remark} |"
        else:
            line = f"{name:62}" + "".join(f"{value:>12}" for value in values) + f"  {remark}"
        print(line, file=self.out, flush=True)


def print_result(result, table):
    """The whole of a run."""
    print_conditions(result, table)
    table.heading("Times", ["Work", "Segue ms", "MPD ms", "ratio", "target", ""])
    for line in result["workloads"]:
        print_workload(line, table)
    print_measures("Other figures", result, table)
    print_summary(result, table)


def print_conditions(result, table):
    """Where and when it was measured."""
    about = result["machine"]
    songs = f"{result['songs']:,} songs, " if "songs" in result else ""
    load = f", load at the start {result['load']:.1f}" if "load" in result else ""
    table.text(f"{songs}up to {result['runs']} runs each, {result['date']}; {about['processor']}, {about['cores']} "
               f"cores, {about['memory_mib']} MiB, {about['system']}{load}; {result['versions']['Segue']}; "
               f"{result['versions'].get('MPD', 'no MPD')}.")


def print_measures(title, result, table):
    """What is not a time of work."""
    table.heading(title, ["What", "Segue", "MPD", "ratio", "target", ""])
    for line in result["measures"]:
        print_measure(line, table)


def print_workload(line, table):
    """One workload."""
    servers = line["servers"]
    table.row(line["name"], [figure(servers.get(name, {}).get("ms")) for name in ("Segue", "MPD")]
              + [figure(line["ratio"]), figure(line["target"])], verdict(line))


def print_measure(line, table):
    """One of the other figures."""
    values = [figure(line["values"].get(name)) for name in ("Segue", "MPD")]
    target = figure(line["target"]) + (f" {line['unit']}" if line["absolute"] else "") if line["target"] else "-"
    name = f"{line['name']}, {line['unit']}" if line["unit"] else line["name"]
    table.row(name, values + [figure(line["ratio"]), target], line["remark"])


def print_summary(result, table):
    """What it comes to."""
    summary = result["summary"]
    table.text(f"Geometric mean of {summary['lines']} ratios: {figure(summary['geometric_mean'])}.")
    for name, title in (("slower", "Slower than MPD"), ("missed", "Above the target"), ("void", "Void")):
        table.text(f"{title}: {len(summary[name])}" + (": " + ", ".join(summary[name]) if summary[name] else "") + ".")
