# Functions that contrib/demo and contrib/test share; sourced by them, for Debian 12, Ubuntu 24.04 and newer.

# What building and playing needs.
segue_packages=(
    git pkg-config zlib1g-dev libsqlite3-dev libpcre2-dev libasound2-dev
    libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev
    gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-bad
    gstreamer1.0-plugins-ugly gstreamer1.0-libav
    gstreamer1.0-alsa gstreamer1.0-pulseaudio gstreamer1.0-pipewire
)

# The clients that the tests drive and what steers them, and MPD to compare with.
segue_client_packages=(
    mpd mpc ncmpcpp ncmpc tmux gcc libc6-dev libmpdclient-dev dbus-daemon libglib2.0-bin xvfb python3 python3-venv
)

# Clients that not every release has, and what sound can be sent to; without one its tests are skipped, and say so.
segue_rare_client_packages=(
    mpdscribble mpdris2 cantata
    snapserver snapclient icecast2 jackd2 flac ffmpeg curl
)
# Left out where it would push PipeWire's own service aside.
segue_pulse_packages=(pulseaudio pulseaudio-utils libasound2-plugins)

# Those of them that are services and must not start by themselves: MPD would take the port that Segue uses, and the
# others would connect to it, or play.
segue_client_services=(
    mpd.socket mpd.service mpdscribble.service snapserver.service snapclient.service icecast2.service
)

say() { printf '== %s\n' "$*" >&2; }

fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# Ends with a hint when there is no Swift, or one that is too old for the package.
need_swift() {
    command -v swift >/dev/null || fail "swift was not found. Install Swift 6.2 or newer from https://www.swift.org/install/linux/
and put it on the PATH, for example: export PATH=\"\$HOME/.local/share/swiftly/bin:\$PATH\""
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    case $version in
        [0-5].* | 6.0 | 6.1) fail "Swift $version is too old; Segue needs 6.2 or newer (https://www.swift.org/install/linux/)." ;;
    esac
}

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

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
    local root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "these packages are missing: ${missing[*]}. Install them as root, then try again."
        root=(sudo)
    fi
    say "Installing with apt: ${missing[*]}"
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# install_clients: installs the clients, and keeps those that are services from starting by themselves if any is new.
install_clients() {
    local name new=false known=()
    for name in mpd mpdscribble mpdris2 snapserver snapclient icecast2; do is_installed "$name" || new=true; done
    install_packages "${segue_client_packages[@]}"
    local rare=("${segue_rare_client_packages[@]}")
    is_installed pipewire-pulse || rare+=("${segue_pulse_packages[@]}")
    for name in "${rare[@]}"; do
        if is_installed "$name" || apt-cache show "$name" >/dev/null 2>&1; then
            known+=("$name")
        else
            say "This system has no package $name; its tests will be skipped"
        fi
    done
    [ ${#known[@]} -eq 0 ] || install_packages "${known[@]}"
    if $new && [ -d /run/systemd/system ]; then
        local root=()
        [ "$(id -u)" -eq 0 ] || root=(sudo)
        for name in "${segue_client_services[@]}"; do
            "${root[@]}" systemctl disable --quiet --now "$name" || true
        done
        "${root[@]}" systemctl --global disable --quiet mpd.socket mpd.service mpdscribble.service mpDris2.service || true
    fi
}
