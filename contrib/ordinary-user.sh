# Functions with which root runs the tests as an ordinary user; sourced by contrib/test.
#
# Root may write anywhere, open any port and any number of files: tests that root runs miss what every user meets.
# The user is, in this order: the one who called sudo, the owner of the working copy, or `segue-tests`, which is made
# when it is missing. `segue-tests` works on a copy in its home, /var/lib/segue-tests, with a .build folder of its own
# that stays for the next time. `userdel --remove segue-tests` takes all of it away.

test_user=
test_folder=
# What runs the command after it as if the user had just logged in, with 1,024 open files at most, as is usual on Linux.
as_test_user=()

# choose_test_user: sets $test_user, $as_test_user, and $test_folder, where that user works.
choose_test_user() {
    test_user=$(stat -c %U .)
    test_folder=$PWD
    if [ -n "${SUDO_USER:-}" ] && [ "$SUDO_USER" != root ]; then
        test_user=$SUDO_USER
    elif [ "$test_user" = root ] || [ "$test_user" = UNKNOWN ]; then
        test_user=segue-tests
        id "$test_user" >/dev/null 2>&1 ||
            useradd --system --user-group --create-home --home-dir /var/lib/segue-tests --shell /bin/bash "$test_user"
        # A home that was there before its user, such as one out of a cache, is root's.
        mkdir -p /var/lib/segue-tests/copies
        chown "$test_user:" /var/lib/segue-tests /var/lib/segue-tests/copies
    fi
    set_up_test_user
    "${as_test_user[@]}" swift --version >/dev/null 2>&1 ||
        fail "the user $test_user can't run $(command -v swift). Install Swift where every user can read it."
    # A folder that root alone may enter or write is no place to work.
    if "${as_test_user[@]}" test -w "$PWD"; then
        # Earlier runs by root may have left files behind, also the lock that SwiftPM has outside of the folder.
        [ ! -d .build ] || find .build ! -user "$test_user" -exec chown --no-dereference "$test_user:" {} +
        rm -f "/tmp/${PWD//\//_}_.build"*.lock
    else
        test_folder=$(test_user_home)/copies/$(basename "$PWD")-$(printf %s "$PWD" | cksum | cut -d ' ' -f 1)
        copy_for_test_user
    fi
}

test_user_home() { getent passwd "$test_user" | cut -d : -f 6; }

# set_up_test_user: sets $as_test_user. Kept of the environment are the tests' own settings, and those with which
# downloads work here; there is no locale, no time zone and no session.
set_up_test_user() {
    local identity entry path= name variables
    identity=(setpriv --reuid="$test_user" --regid="$(id -g "$test_user")" --init-groups --inh-caps=-all)
    # The folders of the PATH that the user can look into, such as Swift's.
    while IFS= read -r -d : entry; do
        if [ -n "$entry" ] && "${identity[@]}" test -x "$entry"; then path+=${path:+:}$entry; fi
    done <<<"$PATH:"
    variables=("HOME=$(test_user_home)" "USER=$test_user" "LOGNAME=$test_user" SHELL=/bin/bash "PATH=$path")
    while IFS= read -r name; do
        case $name in
            SEGUE_* | PIP_* | TERM | NO_COLOR | CI | SSL_CERT_* | GIT_SSL_* | *_proxy | *_PROXY)
                variables+=("$name=${!name}")
                ;;
        esac
    done < <(compgen -e)
    as_test_user=(
        bash -c 'cd / && ulimit -Sn 1024 && exec "$@"' "$test_user"
        "${identity[@]}" env --ignore-environment "${variables[@]}"
    )
}

# copy_for_test_user: brings the copy up to date; times of files stay, so that only what changed is built again.
copy_for_test_user() {
    local lock
    "${as_test_user[@]}" mkdir -p "$test_folder/.build"
    exec {lock}>"$test_folder.lock"
    flock --nonblock "$lock" || fail "contrib/test runs already in $test_folder"
    find "$test_folder" -mindepth 1 -maxdepth 1 ! -name .build -exec rm -rf {} +
    tar --create --exclude=./.build --exclude=./.git --exclude=__pycache__ . |
        tar --extract --no-same-owner --directory "$test_folder"
    share_sources "$test_folder/.build"
    find "$test_folder" ! -user "$test_user" -exec chown --no-dereference "$test_user:" {} +
    if [ "$test_user" = segue-tests ]; then share_git_addresses; fi
}

# share_git_addresses: lets the user find packages where root's git looks for them (`url.….insteadOf`). Such a place may
# be a folder of root's, which git would not read for another user.
share_git_addresses() {
    local file key value
    file=$(test_user_home)/.gitconfig
    rm -f "$file"
    command -v git >/dev/null || return 0
    while read -r key value; do
        git config --file "$file" --add "$key" "$value"
    done < <(git config --global --get-regexp '^url\..*\.insteadof$' || true)
    git config --file "$file" --add safe.directory '*'
    chown "$test_user:" "$file"
}
