# Functions that contrib/demo and contrib/test share; sourced by them, for Debian 12, Ubuntu 24.04 and newer.

# What building and playing needs.
segue_packages=(
    git pkg-config python3 zlib1g-dev libqrencode-dev libebur128-dev libmosquitto-dev
    libsqlite3-dev libpcre2-dev libasound2-dev libpipewire-0.3-dev glib-networking
    libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev libavfilter-dev
    gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-bad
    gstreamer1.0-plugins-ugly gstreamer1.0-libav
    gstreamer1.0-alsa gstreamer1.0-pulseaudio
)

# What the tests are built and counted with.
segue_test_packages=(
    gcc libc6-dev binutils libmpdclient-dev libglib2.0-bin python3-venv valgrind
    swh-plugins ladspa-sdk mda-lv2
)

# The clients that the tests drive and what steers them, MPD to compare with, and what sound can be sent to. Not every
# release has all of them; without one its tests are skipped, and say so.
segue_client_packages=(
    mpd mpc ncmpcpp ncmpc tmux dbus-daemon xvfb
    mpdscribble mpdris2 playerctl mosquitto mosquitto-clients cantata stunnel4 socat openssl
    snapserver snapclient icecast2 jackd2 flac ffmpeg curl
    opus-tools vorbis-tools wavpack musepack-tools mpg123 lame
    chromium firefox-esr webkit2gtk-driver
    prometheus zsh fish mandoc mkdocs
    gvfs-backends gvfs-fuse rclone
)
# Left out where it would push PipeWire's own service aside.
segue_pulse_packages=(pulseaudio pulseaudio-utils libasound2-plugins)

# Left out where it would begin to announce the machine on its network.
segue_quiet_packages=(avahi-daemon avahi-utils)

# Those of them that are services and must not start by themselves: MPD would take the port that Segue uses, and the
# others would connect to it, or play.
segue_client_services=(
    mpd.socket mpd.service mpdscribble.service snapserver.service snapclient.service icecast2.service mosquitto.service
    prometheus.service
)

say() { printf '== %s\n' "$*" >&2; }

fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# Ends with a hint when there is no Swift, or one that is too old for the package.
need_swift() {
    local page=https://www.swift.org/install/linux/
    command -v swift >/dev/null || fail "swift was not found. Install Swift 6.2 or newer from $page
and put it on the PATH, for example: export PATH=\"\$HOME/.local/share/swiftly/bin:\$PATH\""
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    case $version in
        [0-5].* | 6.0 | 6.1) fail "Swift $version is too old; Segue needs 6.2 or newer ($page)." ;;
    esac
}

# need_room PRODUCT: ends early where the disk of .build has not the gigabytes that a first build takes, or those that
# tests write where the product is there; or where that of temporary files has not what tests write.
need_room() {
    local room=1
    [ -e "$1" ] || room=6
    need_free "$PWD/.build" $room
    need_free "${TMPDIR:-/tmp}" 1
}

need_free() {
    local free
    free=$(df --output=avail -k "$1" | tail -n 1)
    [ "$free" -ge $(($2 << 20)) ] || fail "$1 needs $2 GB, and its disk has $((free >> 10)) MB free"
}

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# as_root COMMAND...: runs a command with root's rights, and asks for them where they are missing.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        command -v sudo >/dev/null || fail "root's rights are needed for: $*"
        sudo "$@"
    fi
}

# refresh_lists: lets apt know what there is, once.
refresh_lists() {
    ${segue_lists_are_fresh:-false} || as_root apt-get update -qq ||
        fail "apt could not read its sources: see above. Is there a network?"
    segue_lists_are_fresh=true
}

# install_packages NAME...: installs those that are missing, and says so; asks for root's rights only then.
install_packages() {
    command -v apt-get >/dev/null || {
        say "This is no Debian or Ubuntu: make sure that you have the likes of $*"
        return
    }
    local missing=() name
    for name in "$@"; do is_installed "$name" || missing+=("$name"); done
    # C++ headers for the TOML parser; any version of them will do.
    [ -d /usr/include/c++ ] || missing+=(g++)
    [ ${#missing[@]} -eq 0 ] && return
    [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null ||
        fail "these packages are missing: ${missing[*]}. Install them as root, then try again."
    say "Installing with apt: ${missing[*]}"
    refresh_lists
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
        fail "apt could not install all of that: see above"
}

# install_clients: installs the clients, and keeps those that are services from starting by themselves if any is new.
install_clients() {
    local name new=false wanted=() clients=("${segue_client_packages[@]}")
    for name in mpd mpdscribble mpdris2 snapserver snapclient icecast2 prometheus; do is_installed "$name" || new=true; done
    is_installed pipewire-pulse || clients+=("${segue_pulse_packages[@]}")
    [ -d /run/systemd/system ] || clients+=("${segue_quiet_packages[@]}")
    if command -v apt-get >/dev/null; then
        for name in "${clients[@]}"; do is_installed "$name" || refresh_lists; done
    fi
    for name in "${clients[@]}"; do
        if is_installed "$name"; then
            continue
        elif apt-cache show "$name" >/dev/null 2>&1; then
            wanted+=("$name")
        else
            say "This system has no package $name; its tests will be skipped"
        fi
    done
    [ ${#wanted[@]} -eq 0 ] || install_packages "${wanted[@]}"
    if $new && [ -d /run/systemd/system ]; then
        for name in "${segue_client_services[@]}"; do as_root systemctl disable --quiet --now "$name" || true; done
        as_root systemctl --global disable --quiet mpd.socket mpd.service mpdscribble.service mpDris2.service || true
    fi
}

# python_packages VENV REQUIREMENTS: keeps an environment of Python with what a file names, or none at all.
python_packages() {
    # One that another user made may need that user's Python.
    cmp -s "$2" "$1/requirements.txt" && [ -x "$1/bin/python" ] && return
    say "Setting up Python packages in $1"
    rm -rf "$1"
    python3 -m venv "$1" && "$1/bin/python" -m pip install --quiet --disable-pip-version-check -r "$2" &&
        cp "$2" "$1/requirements.txt" && return
    rm -rf "$1"
    return 1
}

# set_source_date: sets SOURCE_DATE_EPOCH to the last commit's time where it is not set. Sources without a repository,
# from an archive, have that time as the changelog's own; a repository that can't be read must not pass for those.
set_source_date() {
    if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
        if [ -e .git ]; then
            SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) || fail "git doesn't tell the last commit's time: see above.
Trust this folder with: git config --global --add safe.directory '$PWD'; or set SOURCE_DATE_EPOCH"
        else
            SOURCE_DATE_EPOCH=$(stat -c %Y CHANGELOG.md)
        fi
    fi
    export SOURCE_DATE_EPOCH
}

# share_sources FOLDER: gives another build folder the sources that were downloaded for the first one.
share_sources() {
    [ -d .build/checkouts ] && [ ! -d "$1/checkouts" ] || return 0
    mkdir -p "$1"
    cp -a .build/checkouts .build/repositories .build/workspace-state.json "$1/"
}

# optimised_build OPTION...: builds with optimisation in a folder of its own, for counting instructions.
optimised_build() {
    share_sources .build/optimised
    SEGUE_OPTIMISED=1 swift build --scratch-path .build/optimised --disable-dependency-cache "$@"
}
