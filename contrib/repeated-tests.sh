# Functions that try by itself what failed beside other tests (decision 141); sourced by contrib/test, whose `phase`,
# `say` and `count` they use.

# The names of what failed beside other tests and passed by itself, and the file with what those said.
unsteady=()
unsteady_log=.build/unsteady-tests.log

# count_repeated REPORT STATUS COMMAND...: adds the numbers of a JUnit report. What failed beside other tests is tried
# three times by itself first, COMMAND with its name, and counts as passed when it passes each time.
count_repeated() {
    local report=$1 status=$2 failures name
    shift 2
    mapfile -t failures < <([ ! -s "$report" ] || contrib/test-report repeatable "$report")
    [ ${#failures[@]} -eq 0 ] || contrib/test-report failed "$report" >>"$unsteady_log"
    for name in "${failures[@]}"; do
        phase "Trying by itself what failed beside others: $name"
        if repeat "$@" "$name"; then
            contrib/test-report passed "$report" "$name"
            unsteady+=("$name")
            status=0
        fi
    done
    count "$report" "$status"
}

# repeat COMMAND...: whether it succeeds three times.
repeat() {
    local time
    for time in 1 2 3; do
        if ! "$@" >.build/repeated.log 2>&1; then
            say "It failed the time number $time:"
            tail -n 40 .build/repeated.log
            return 1
        fi
    done
}

# Names what failed beside other tests and not by itself, and why: either the test or Segue bears too little there.
list_unsteady() {
    local name
    cat "$unsteady_log" >&2
    for name in "${unsteady[@]}"; do say "failed beside other tests and passed three times by itself: $name"; done
}
