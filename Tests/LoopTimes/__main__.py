"""How long commands on long queues and playlists keep other clients waiting; contrib/loop-times runs this.

While each command runs, another client asks `ping` without a pause and notes its longest wait. What other programs took
of the processors meanwhile is subtracted, by the kernel's count for both threads.
"""
import argparse


def arguments():
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="contrib/loop-times", description=__doc__)
    parser.add_argument("--segue", required=True, help="the program; fake-navidrome lies beside it")
    parser.add_argument("--entries", type=int, default=1_000_000, help="entries of the queue and of a playlist")
    parser.add_argument("--songs", type=int, default=1000, help="songs of the library")
    parser.add_argument("--limit", type=float, default=5, help="milliseconds that a client may wait")
    parser.add_argument("--only", default="", help="a word in the names of the commands to be measured")
    return parser.parse_args()


def main():
    """Reads the arguments; what measures needs packages, which help doesn't."""
    options = arguments()
    import measuring
    measuring.main(options)


main()
