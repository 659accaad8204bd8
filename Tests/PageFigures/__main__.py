"""What the page costs the server, in figures of docs/page.md; contrib/measure-page runs this.

A generated library is synced once; then the program starts anew for each state that is compared. Other clients' waits
are measured as contrib/loop-times does it: without the time that other programs took of the processors.
"""
import argparse
import sys


def arguments():
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="contrib/measure-page", description=__doc__)
    parser.add_argument("--segue", help="the program; fake-navidrome lies beside it; else $SEGUE_BINARY")
    parser.add_argument("--songs", type=int, default=50_000, help="songs of the library")
    parser.add_argument("--stations", type=int, default=1000, help="radio stations")
    parser.add_argument("--seconds", type=int, default=60, help="how long wake-ups are counted")
    return parser.parse_args()


def main():
    """Reads the arguments; what measures needs packages, which help doesn't."""
    given = arguments()
    import measuring
    return measuring.main(given)


sys.exit(main())
