"""Playing scenarios and comparing what comes back."""
import time

import pytest

from .conversation import Conversation
from .normalising import by_command, normalised
from .servers import OriginalMPD, has_assertions

CHANGING = ("status", "currentsong")
"""What the player's other threads still change for a moment; asked again until the answer is the expected one."""


def play(scenario, servers, expected, with_023, seconds=10):
    """Plays a scenario with several servers at once; yields each compared step with their answers.

    `expected` says whether the answers of a step are as they should be; those of `CHANGING` commands are asked for
    again until they are, or until `seconds` have passed. Where a difference is expected that is when they have stayed
    the same for a second.
    """
    conversations = [Conversation(server) for server in servers]
    try:
        for step in scenario.steps:
            if step.asserts and has_assertions():
                continue

            def take():
                taken = [take_step(conversation, step) for conversation in conversations]
                is_023 = with_023 and not step.answer
                return [lines and normalised(step.text, lines, conversation.first_id, is_023, step.differs)
                        for conversation, lines in zip(conversations, taken)]
            answers = take()
            since = time.monotonic()
            deadline = since + seconds
            while by_command(step.text) in CHANGING and not expected(step, answers) and time.monotonic() < deadline:
                if step.differs and time.monotonic() > since + 1:
                    break
                time.sleep(0.05)
                before, answers = answers, take()
                if answers != before:
                    since = time.monotonic()
            if step.is_compared:
                yield step, answers
    finally:
        for conversation in conversations:
            conversation.close()


def take_step(conversation, step):
    """Takes a step; what goes wrong names the line and the server."""
    try:
        return conversation.take(step)
    except (OSError, AssertionError) as error:
        server = conversation.server
        if isinstance(server, OriginalMPD) and server.hangs():
            # The scenarios behind this one are to have an MPD that answers.
            server.kill()
            server.start()
            pytest.skip(f"MPD itself hangs at line {step.line}, {step.text!r}")
        name = type(server).__name__
        raise AssertionError(f"{name} at line {step.line}, {step.text!r}: {error}") from error
