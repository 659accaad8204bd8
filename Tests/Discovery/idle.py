"""What discovery costs while nothing plays: how often the program's threads wake up, and what they compute."""
import contextlib
import pathlib
import socket
import subprocess
import time

SECONDS = 20
OFF = '[discovery]\nanalyse = "off"\nserver_similarity = false\n'
SETTINGS = {
    "everything off": OFF,
    "analyse = \"heard\"": "",
    "the auto-DJ on, its queue full": OFF + "[dj]\nswitch = true\n",
}


def free_port():
    """A TCP port that is free."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        return holder.getsockname()[1]


def ask(port, *lines):
    """Sends commands; gives all lines of their answers."""
    with contextlib.closing(socket.create_connection(("127.0.0.1", port), timeout=30)) as connection:
        file = connection.makefile("rwb")
        file.readline()
        answers = []
        for line in lines:
            file.write(line.encode() + b"\n")
            file.flush()
            while True:
                answer = file.readline().decode()
                answers.append(answer)
                if answer.startswith(("OK", "ACK")) or not answer:
                    break
        return answers


def wakeups(process):
    """How often all threads went to sleep of their own, and their processor time in ticks."""
    total = ticks = 0
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        with contextlib.suppress(OSError):
            status = (task / "status").read_text()
            total += int(status.split("\nvoluntary_ctxt_switches:")[1].split()[0])
            fields = (task / "stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return total, ticks


def steady(process):
    """Waits until the threads wake up no more often than before, and gives what they do in so many seconds."""
    before = wakeups(process)
    rate = None
    for _ in range(6):
        time.sleep(SECONDS)
        after = wakeups(process)
        last, rate = rate, (after[0] - before[0], after[1] - before[1])
        before = after
        if last is not None and rate[0] >= last[0] * .9:
            break
    return rate


def measure(program, folder, configuration):
    """For each setting: its name, wake-ups a minute, and processor time a minute in milliseconds."""
    found = []
    for number, (name, settings) in enumerate(SETTINGS.items()):
        port, own = free_port(), folder / f"idle-{number}.toml"
        own.write_text(configuration(port) + '[web]\nlisten = []\n[zeroconf]\nenabled = false\n' + settings)
        with open(folder / f"idle-{number}.log", "wb") as log:
            process = subprocess.Popen([program, "serve", "--config", own], stdout=log, stderr=log)
        try:
            deadline = time.monotonic() + 120
            while True:
                with contextlib.suppress(OSError):
                    if "updating_db" not in "".join(answers := ask(port, "status", "stats")) and "songs: 0\n" not in answers:
                        break
                if time.monotonic() > deadline or process.poll() is not None:
                    raise TimeoutError(f"the program did not start, see {log.name}")
                time.sleep(.2)
            if "auto-DJ" in name:
                ask(port, "sendmessage dj on")
                while "playlistlength: 0\n" in ask(port, "status"):
                    if time.monotonic() > deadline:
                        raise TimeoutError("the auto-DJ added nothing")
                    time.sleep(.2)
            count, ticks = steady(process.pid)
            found.append((name, count * 60 / SECONDS, ticks * 10 * 60 / SECONDS))
        finally:
            process.terminate()
            process.wait(30)
    return found
