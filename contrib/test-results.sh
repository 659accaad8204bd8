# What contrib/test counts, times and says in the end.

passed=0
failed=0
# The names of the checks that failed; the tests that failed stand in the reports.
failed_checks=()
missing=() # What was left out, and why.

# How long each phase took, as NAME=SECONDS.
times=()
# phase NAME TEXT: says what comes next, and how long everything has taken so far.
phase() {
    end_phase
    say "$(printf '%d:%02d' $((SECONDS / 60)) $((SECONDS % 60))) ${*:2}"
    phase_name=$1
    phase_began=$SECONDS
}

end_phase() { [ -z "${phase_name:-}" ] || times+=("$phase_name=$((SECONDS - phase_began))"); }

# leave_out TEXT: says what can't be tested here, and why.
leave_out() {
    missing+=("$*")
    say "skipped: $*"
}

# check NAME COMMAND...: runs a command that counts as one test.
check() {
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        say "failed: $name"
        failed=$((failed + 1))
        failed_checks+=("$name")
    fi
}

# count REPORT STATUS: adds the numbers of a JUnit report.
count() {
    local counts
    counts=$(contrib/test-report counts "$1" "$2")
    passed=$((passed + ${counts% *}))
    failed=$((failed + ${counts#* }))
    say "${counts% *} passed, ${counts#* } failed"
}

# Times of unit tests that run beside each other contain the waiting for a turn.
timed_reports=(.build/swift-tests-sound.xml .build/integration-tests.xml .build/web-tests.xml)
reports=(.build/swift-tests-others.xml "${timed_reports[@]}")

# Names what failed, once more: after so many lines it would be hard to find above.
list_failures() {
    local name
    contrib/test-report failed "${reports[@]}" >&2
    for name in "${failed_checks[@]}"; do say "failed: $name"; done
}

# finish: lists the slowest tests, what was skipped and the failures, and ends with the numbers. A run that root started
# leaves those to root.
finish() {
    local name
    phase end "Done. The slowest tests:"
    contrib/test-report slowest "${timed_reports[@]}" >&2
    contrib/test-report skipped "${reports[@]}" >&2
    for name in "${missing[@]}"; do say "skipped: $name"; done
    contrib/test-report times "${times[@]}" -- "${timed_reports[@]}" >&2
    [ "$failed" -eq 0 ] || list_failures
    if [ -n "${SEGUE_TEST_COUNTS:-}" ]; then
        echo "$passed $failed" >"$SEGUE_TEST_COUNTS"
    else
        printf '%d passed, %d failed\n' "$passed" "$failed"
    fi
    [ "$failed" -eq 0 ]
}
