"""Files of every encoder that is installed, short and long, in every layout. The songs that are listed are compared
with those of an MPD, of mutagen and of ffprobe."""
import concurrent.futures
import os
import random
import shutil
import signal
import subprocess
import threading
import time
import wave

import mutagen
import pytest
from harness.reference import ReferenceMPD, mpd_binary
from harness.waiting import wait_for

RATES = {"common": (44100, 48000), "wide": (8000, 22050, 44100, 96000)}
FRAMES = (1, 100, 1000, 4096, 4410, 20000, 50000)


def ffmpeg(codec, more=""):
    return f"ffmpeg -v error -y -i {{0}} -c:a {codec} -strict -2 {more} {{1}}"


# An encoder and its options: ending, line (input and output), and the rates that it takes.
ENCODERS = {
    "flac": ("flac", "flac -s -f -o {1} {0}", "wide"),
    "flac in Ogg": ("oga", "flac -s -f --ogg -o {1} {0}", "wide"),
    "flac by ffmpeg": ("flac", ffmpeg("flac"), "wide"),
    "lame": ("mp3", "lame --quiet -b 128 {0} {1}", "common"),
    "lame, variable": ("mp3", "lame --quiet -V 4 {0} {1}", "common"),
    "lame, plain": ("mp3", "lame --quiet -t -b 64 {0} {1}", "common"),
    "mp3 by ffmpeg": ("mp3", ffmpeg("libmp3lame"), "common"),
    "mp2 by ffmpeg": ("mp2", ffmpeg("mp2"), "common"),
    "oggenc": ("ogg", "oggenc -Q -q 3 -o {1} {0}", "wide"),
    "vorbis by ffmpeg": ("ogg", ffmpeg("libvorbis"), "common"),
    "opusenc": ("opus", "opusenc --quiet {0} {1}", "wide"),
    "opus by ffmpeg": ("opus", ffmpeg("libopus"), "common"),
    "opus in Matroska": ("webm", ffmpeg("libopus"), "common"),
    "speex by ffmpeg": ("spx", ffmpeg("libspeex", "-ar 16000"), "common"),
    "wavpack": ("wv", "wavpack -q -y {0} -o {1}", "wide"),
    "wavpack, hybrid": ("wv", "wavpack -q -y -b256 {0} -o {1}", "wide"),
    "mpcenc": ("mpc", "mpcenc --silent --overwrite {0} {1}", "common"),
    "aac by ffmpeg": ("m4a", ffmpeg("aac"), "common"),
    "aac without a container": ("aac", ffmpeg("aac"), "common"),
    "alac by ffmpeg": ("m4a", ffmpeg("alac"), "wide"),
    "alac in Matroska": ("mka", ffmpeg("alac"), "common"),
    "alac in CAF": ("caf", ffmpeg("alac"), "common"),
    "flac in Matroska": ("mka", ffmpeg("flac"), "common"),
    "wma by ffmpeg": ("wma", ffmpeg("wmav2"), "common"),
    "tta by ffmpeg": ("tta", ffmpeg("tta"), "common"),
    "plain": ("wav", ffmpeg("pcm_s16le"), "wide"),
    "plain, 24 bits": ("wav", ffmpeg("pcm_s24le"), "wide"),
    "IMA ADPCM": ("wav", ffmpeg("adpcm_ima_wav"), "common"),
    "Microsoft ADPCM": ("wav", ffmpeg("adpcm_ms"), "common"),
    "AIFF": ("aiff", ffmpeg("pcm_s16be"), "wide"),
    "AU": ("au", ffmpeg("pcm_s16be"), "common"),
    "CAF": ("caf", ffmpeg("pcm_s16be"), "common"),
}


def write(path, frames, rate, channels):
    """Noise as a WAV file."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(random.Random(f"{frames}{rate}{channels}").randbytes(frames * channels * 2))


def make(music, sources):
    """Encodes everything; gives the files that came of it by their names, with how many seconds each was made of."""
    jobs = []
    for name, (suffix, line, rates) in ENCODERS.items():
        if not shutil.which(line.split()[0]):
            continue
        for frames in FRAMES:
            for rate in RATES[rates][:2] if frames != FRAMES[-1] else RATES[rates]:
                channels = 1 + (frames + rate // 100) % 2
                source = sources / f"{frames}-{rate}-{channels}.wav"
                if not source.exists():
                    write(source, frames, rate, channels)
                target = music / f"{name.replace(',', '').replace(' ', '-')}-{frames}-{rate}.{suffix}"
                jobs.append((line, source, target, frames / rate))

    def encode(job):
        line, source, target, seconds = job
        done = subprocess.run([word.format(source, target) for word in line.split()], capture_output=True, timeout=120)
        if done.returncode == 0 and target.exists() and target.stat().st_size > 0:
            return target.name, seconds
        target.unlink(missing_ok=True)
        return None

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(filter(None, pool.map(encode, jobs)))


@pytest.fixture(scope="module")
def encoded(tmp_path_factory):
    """A folder of files of all encoders, and the seconds that each was made of."""
    folder = tmp_path_factory.mktemp("encoded")
    (folder / "music").mkdir()
    (folder / "sources").mkdir()
    return folder / "music", make(folder / "music", folder / "sources")


def listed(client):
    """What a server lists: seconds and format by name."""
    songs = (song for song in client.listallinfo() if "file" in song)
    return {song["file"]: (float(song.get("duration", 0)), song.get("format", "")) for song in songs}


def probed(path):
    """The seconds and the rate that ffprobe tells, or None of what it can't read."""
    done = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "stream=sample_rate,duration:format=duration",
         "-of", "default=noprint_wrappers=1", path], capture_output=True, text=True, timeout=60)
    fields = dict(line.split("=") for line in done.stdout.split() if "=" in line)
    if not fields.get("sample_rate"):
        return None
    lengths = [float(line.split("=")[1]) for line in done.stdout.split() if line.startswith("duration=") and "N/A" not in line]
    return (lengths[0] if lengths else None), int(fields["sample_rate"])


def decodes(path):
    """Whether ffmpeg gets any sample out of a file."""
    done = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "s16le", "-"], capture_output=True, timeout=60)
    return len(done.stdout) > 0


def test_files_of_all_encoders_are_listed_with_their_lengths(encoded, start_segue, tmp_path):
    music, made = encoded
    assert len(made) >= 300, f"only {len(made)} files were made"
    server = start_segue(local={"music_directory": music})
    client = server.client(timeout=120)
    wait_for(lambda: int(client.stats()["songs"]) > 0 and "updating_db" not in client.status(), 300, "the scan")
    ours = listed(client)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        names = sorted(made)
        lengths = dict(zip(names, pool.map(lambda name: probed(music / name), names)))
        missing = [name for name in names if name not in ours]
        sounding = dict(zip(missing, pool.map(lambda name: decodes(music / name), missing)))
    lost = [name for name in missing if sounding[name]]
    assert not lost, f"not listed, though ffmpeg decodes them: {lost}"
    wrong = []
    for name, (seconds, sound) in ours.items():
        told = lengths[name]
        # Decoders without a length in the file estimate it.
        limit = max(0.06, made[name] * 0.02) if name.endswith((".aac", ".mp2", ".spx")) else 0.06
        if abs(seconds - made[name]) > limit and (told is None or told[0] is None or abs(seconds - told[0]) > limit):
            wrong.append((name, seconds, made[name], told))
        elif told and not sound.startswith(f"{told[1]}:") and not name.endswith((".opus", ".webm")):
            wrong.append((name, sound, told))
    assert not wrong, wrong


@pytest.mark.skipif(shutil.which(mpd_binary()) is None, reason="no MPD to compare with")
def test_no_fewer_files_are_listed_than_by_mpd_and_by_mutagen(encoded, start_segue, tmp_path):
    music, made = encoded
    server = start_segue(local={"music_directory": music})
    client = server.client(timeout=120)
    wait_for(lambda: int(client.stats()["songs"]) > 0 and "updating_db" not in client.status(), 300, "the scan")
    ours = listed(client)
    reference = ReferenceMPD(tmp_path / "mpd", music).start()
    try:
        theirs = listed(reference.client(timeout=120))
    finally:
        reference.kill()
    only = [name for name in theirs if name not in ours]
    # MPD lists what holds no sample, too.
    assert not [name for name in only if decodes(music / name)], only
    differing = [
        (name, ours[name], theirs[name]) for name in ours.keys() & theirs.keys()
        if theirs[name][0] > 0 and abs(ours[name][0] - theirs[name][0]) > max(0.06, made[name] * 0.02)
        and abs(ours[name][0] - made[name]) > 0.06]
    assert not differing, differing
    untold = []
    for name, (seconds, _) in ours.items():
        try:
            length = getattr(getattr(mutagen.File(music / name), "info", None), "length", 0)
        except mutagen.MutagenError:
            # A few frames are too little for it.
            continue
        if length and abs(seconds - length) > 0.06 and abs(seconds - made[name]) > 0.06:
            untold.append((name, seconds, length))
    assert not untold, untold


@pytest.mark.parametrize("seed", range(1, 6))
def test_a_scan_on_a_machine_that_stands_still_again_and_again_loses_no_song(seed, start_segue, tmp_path, tracks):
    music = tmp_path / "music"
    music.mkdir()
    chance = random.Random(seed)
    sources = []
    for number, (suffix, line) in enumerate([("flac", ffmpeg("flac")), ("mp3", ffmpeg("libmp3lame")), ("ogg", ffmpeg("libvorbis")),
                                             ("m4a", ffmpeg("aac")), ("opus", ffmpeg("libopus")), ("wav", ffmpeg("pcm_s16le"))]):
        source, target = tmp_path / f"source{number}.wav", tmp_path / f"{number}.{suffix}"
        write(source, 20000, 44100, 2)
        subprocess.run([word.format(source, target) for word in line.split()], check=True, timeout=60)
        sources.append(target)
    count = 2000
    for number in range(count):
        source = sources[number % len(sources)]
        os.link(source, music / f"{number:04}{source.suffix}")
    server = start_segue(local={"music_directory": music})
    client = server.client(timeout=120)
    is_over = threading.Event()

    def disturb():
        while not is_over.wait(chance.uniform(0.05, 0.5)):
            server.process.send_signal(signal.SIGSTOP)
            time.sleep(chance.uniform(0.2, 0.6))
            server.process.send_signal(signal.SIGCONT)

    disturbing = threading.Thread(target=disturb)
    disturbing.start()
    try:
        wait_for(lambda: int(client.stats()["songs"]) > 0 and "updating_db" not in client.status(), 400, "the scan")
    finally:
        is_over.set()
        disturbing.join()
        server.process.send_signal(signal.SIGCONT)
    lost = sorted({f"{number:04}" for number in range(count)} - {name[:4] for name in listed(client)})
    assert not lost, f"{len(lost)} songs are missing, such as {lost[:5]}: {server.log[-2000:]}"
