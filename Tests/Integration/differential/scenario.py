"""Scenarios: conversations in text files.

    == A heading begins a scenario, with fresh connections, an empty queue and the usual options
    @ src/command/QueueCommands.cxx handle_move    where 0.24's answers, if some are written below, come from
    playlistinfo 0:2            a line for connection 1, whose answer is compared
    2> status                   the same for connection 2
    2> idle mixer               `idle` is only sent; other connections go on
    2<                          the answer to it is waited for and compared
    2>> pi\\x6eg\\n               bytes as they are, with Python's escapes; all that comes back is compared
    playid {2}                  the id of the second song that was added in this scenario
    plchanges {v}               the queue's version when `! mark` was met
    ! mark                      remembers the queue's version
    ! wait state: play          waits until `status` has this line
    ! until currentsong Title: Lamp   waits until an answer has this line
    ! quietly stickers ...      sends a command whose answer doesn't matter
    differs some-name           the next answer differs from MPD's for the reason that docs/protocol.md gives
    asserts                     the next line ends an MPD that was built with assertions, and is left out with one
    S: OK                       a line of 0.24's answer, where 0.23.12 answers something else

Under a heading that ends with [0.24] all answers are written down. Lines from `command_list_begin` to
`command_list_end` are one request. Lines that begin with # are comments.
"""
import dataclasses
import pathlib

HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass
class Step:
    """One line, or one command list, of a scenario."""
    kind: str
    """ask, idle, read, raw, or what stands behind the exclamation mark."""
    connection: int
    text: str
    line: int
    end: int = 0
    """The last line of the file that belongs to it, not counting the written answer."""
    differs: str | None = None
    asserts: bool = False
    answer: list = dataclasses.field(default_factory=list)

    @property
    def is_compared(self):
        """Whether it has an answer that is compared."""
        return self.kind in ("ask", "read", "raw")


@dataclasses.dataclass
class Scenario:
    """A heading with its steps."""
    file: pathlib.Path
    title: str
    steps: list = dataclasses.field(default_factory=list)
    source: str = ""

    @property
    def is_written(self):
        """Whether all of its answers are written down."""
        return self.title.endswith("[0.24]")

    @property
    def name(self):
        """How the test is called."""
        return f"{self.file.stem}: {self.title}"


def scenario_files():
    """The files with scenarios."""
    return sorted((HERE / "scenarios").glob("*.txt"))


def parse(path):
    """The scenarios of a file."""
    found = []
    differs = None
    asserts = False
    collected = None
    waiting = set()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("== "):
            found.append(Scenario(path, line[3:]))
            waiting.clear()
        elif line.startswith("@ "):
            found[-1].source = line[2:]
        elif line.startswith("differs "):
            differs = line[8:]
        elif line == "asserts":
            asserts = True
        elif line.startswith("S: "):
            found[-1].steps[-1].answer.append(line[3:])
        elif line and not line.startswith("#"):
            step = parse_step(line, number)
            if collected is not None:
                collected.text += "\n" + step.text
                collected.end = number
                if step.text != "command_list_end":
                    continue
                step, collected = collected, None
            elif step.kind == "ask" and step.text in ("command_list_begin", "command_list_ok_begin"):
                collected = step
                continue
            check_idle(step, waiting, path)
            if step.is_compared:
                step.differs, differs = differs, None
                step.asserts, asserts = asserts, False
            found[-1].steps.append(step)
    assert collected is None and differs is None and not asserts, f"{path.name} ends too early"
    return found


def check_idle(step, waiting, path):
    """Refuses a second `idle` where the answer to the first was not read: whether it comes too early is a race."""
    if step.kind == "idle":
        assert step.connection not in waiting, f"{path.name}, line {step.line}: no step reads the answer to the last idle"
        waiting.add(step.connection)
    elif step.is_compared:
        waiting.discard(step.connection)


def parse_step(line, number):
    """One line."""
    if line.startswith("! "):
        kind, _, text = line[2:].partition(" ")
        return Step(kind, 1, text, number, number)
    connection = 1
    if line[0].isdigit() and line[1:2] in ("<", ">"):
        connection, line = int(line[0]), line[1:]
        if line.startswith("<"):
            return Step("read", connection, "(the answer to idle)", number, number)
        if line.startswith(">>"):
            return Step("raw", connection, line[2:].lstrip(" "), number, number)
        line = line[1:].lstrip(" ")
    word = line.split(" ")[0]
    return Step("idle" if word == "idle" else "ask", connection, line, number, number)
