"""openapi.json is held to the truth: what it describes is what the program takes and answers, also when it is malformed."""
import re
import subprocess
import sys

# Streams have no end.
LEFT_OUT = "socket|events|listen"
# An id that is well formed need not exist, and names with control characters are refused wherever they are.
NOT_CHECKED = "positive_data_acceptance"


def test_every_answer_is_described_and_every_malformed_request_refused(server, queue, tmp_path):
    """A thousand requests, valid and not; each answer has a status, a type and a shape that the description names."""
    result = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", "run", f"{server.url}/api/openapi.json", "--seed", "1",
         "--max-examples", "3", "--phases", "examples,coverage,fuzzing", "--generation-database", "none", "--no-color",
         "--request-timeout", "10", "--exclude-path-regex", LEFT_OUT, "--checks", "all",
         "--exclude-checks", NOT_CHECKED],
        capture_output=True, text=True, timeout=240, cwd=tmp_path)
    assert result.returncode == 0, result.stdout[-6000:] + result.stderr[-2000:]
    tested = re.search(r"Tested: (\d+)", result.stdout)
    assert tested and int(tested[1]) >= 50 and " 0 generated" not in result.stdout, result.stdout[-2000:]
    # The connection of before may have been idle for longer than is allowed.
    client = server.client()
    assert client.ping() is None, "the server is as it was"
    client.disconnect()
