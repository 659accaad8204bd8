"""What is not a time of work: memory, wake-ups, starting, playing, and how clients get in each other's way."""
import statistics
import threading
import time

from connection import Connection, quoted


def percentile(values, share):
    """The value below which a share of them lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def first_byte(server, runs):
    """Milliseconds from asking for everything to the first byte of the answer."""
    times = []
    for _ in range(runs):
        with server.connect() as client:
            begin = time.perf_counter()
            client.send("listallinfo")
            client.socket.recv_into(memoryview(client.buffer)[:1])
            times.append((time.perf_counter() - begin) * 1000)
            client.finish()
    return statistics.median(times)


def idle_connections(server, count=5000):
    """KiB of the server's memory for each idle connection."""
    before = server.memory()["rss"]
    clients = []
    try:
        for _ in range(count):
            client = Connection.__new__(Connection)
            Connection.__init__(client, server.port)
            # A megabyte of buffer each would be the driver's problem.
            client.buffer = bytearray(64)
            client.send("idle")
            clients.append(client)
        with server.connect() as client:
            client.command("ping")
        time.sleep(0.5)
        return (server.memory()["rss"] - before) / count
    finally:
        for client in clients:
            client.close()


def beside_a_slow_reader(server, seconds=10):
    """One client lists everything and reads slowly; how long does another's `status` take, and what memory?

    Returns milliseconds (median, 99th percentile, highest) and the growth of memory in MiB.
    """
    times = []
    before = server.memory()["rss"]
    highest = before
    with server.connect(receive_buffer=65536) as slow, server.connect() as other:
        stopped = threading.Event()

        def read_slowly():
            end = b"OK\n"
            while not stopped.wait(0.02):
                if end.endswith(b"OK\n"):
                    slow.send("listallinfo")
                end = slow.socket.recv(32768)
        reader = threading.Thread(target=read_slowly)
        reader.start()
        end = time.monotonic() + seconds
        looked = 0
        while time.monotonic() < end:
            begin = time.perf_counter()
            other.command("status")
            times.append((time.perf_counter() - begin) * 1000)
            looked += 1
            if looked % 20 == 0:
                highest = max(highest, server.memory()["rss"])
            time.sleep(0.003)
        stopped.set()
        reader.join()
    return {"median": statistics.median(times), "p99": percentile(times, 0.99), "highest": max(times),
            "memory": (highest - before) / 1024}


def beside_fast_readers(server, seconds=5):
    """The same while another client lists everything again and again as fast as it can."""
    times = []
    with server.connect() as busy, server.connect() as other:
        stopped = threading.Event()

        def list_everything():
            while not stopped.is_set():
                busy.command("listallinfo")
        reader = threading.Thread(target=list_everything)
        reader.start()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            begin = time.perf_counter()
            other.command("status")
            times.append((time.perf_counter() - begin) * 1000)
            time.sleep(0.003)
        stopped.set()
        reader.join()
    return {"median": statistics.median(times), "p99": percentile(times, 0.99), "highest": max(times)}


def idle(servers, seconds):
    """Per cent of a core and wake-ups a second of the servers while no client asks them for anything, stopped."""
    for server in servers:
        with server.connect() as client:
            client.command("stop")
    time.sleep(5)
    before = {server.name: (server.cpu(), server.switches()) for server in servers}
    time.sleep(seconds)
    result = {}
    for server in servers:
        cpu, switches = before[server.name]
        result[server.name] = {"cpu": (server.cpu() - cpu) / seconds * 100,
                               "wakeups": server.wakeups_since(switches) / seconds}
    return result


def playing(servers, song, seconds):
    """Per cent of a core, wake-ups a second and memory in KiB of the servers while they play a FLAC file."""
    for server in servers:
        server.queue_is_whole = False
        with server.connect() as client:
            client.command("clear")
            client.command("add " + quoted(song))
            client.command("play 0")
    # Loading and buffering are over by then.
    time.sleep(8)
    result, before = {}, {}
    for server in servers:
        with server.connect() as client:
            state = client.values("status", "state")
            if state != ["play"]:
                raise RuntimeError(f"{server.name} does not play: {client.lines('status')}")
            elapsed = float(client.values("status", "elapsed")[0])
        before[server.name] = (server.cpu(), server.switches(), elapsed)
    time.sleep(seconds)
    for server in servers:
        cpu, switches, elapsed = before[server.name]
        values = {"cpu": (server.cpu() - cpu) / seconds * 100, "wakeups": server.wakeups_since(switches) / seconds,
                  **server.memory()}
        with server.connect() as client:
            values["played"] = float(client.values("status", "elapsed")[0]) - elapsed
            client.command("stop")
            client.command("clear")
        result[server.name] = values
    return result


def restarts(server, runs):
    """Stops and starts the server; the median in milliseconds until it greets, its processor time and memory then."""
    times, costs, memory = [], [], None
    for _ in range(runs):
        server.stop()
        times.append(server.start() * 1000)
        time.sleep(2)
        costs.append(server.cpu() * 1000)
        memory = server.memory()
        if times[-1] > 10_000:
            break
    return {"ms": statistics.median(times), "all_ms": times, "cpu_ms": statistics.median(costs), **memory}
