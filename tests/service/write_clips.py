"""Speak the live page's calls anew: `python -m tests.service.write_clips` (needs espeak-ng and ffmpeg).

The words are the table ``clip`` of live/words/<language>.toml.  All of a language make one MP3, which every browser
plays, with silence between them; beside it stands where each begins, how long it is, and the words that it speaks, so
that a test sees when it is old.  The page cuts the silence off (`static/live_voice.js`).
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
import wave
from pathlib import Path

import numpy as np

from referee.service import live

HERE = Path(live.__file__).parent
CLIPS = HERE.parent / "static" / "calls"
VOICES = {"en": ("en-gb", 165), "fr": ("fr-fr", 165)}
"""The voice of espeak-ng and how many words a minute it speaks."""
GAP_S = 0.25
QUIET = 0.01
LOUD = 0.89
RATE = 22_050
KBIT = 40


def texts(language: str) -> dict[str, str]:
    """What is spoken, by the clip's name."""
    words = tomllib.loads((HERE / "words" / f"{language}.toml").read_text(encoding="utf-8"))
    return {str(name): str(text) for name, text in words["clip"].items()}


def spoken(text: str, language: str, folder: Path) -> np.ndarray:
    """One text as samples between -1 and 1, without silence around it, equally loud as the others."""
    path = folder / "clip.wav"
    voice, pace = VOICES[language]
    subprocess.run(["espeak-ng", "-v", voice, "-s", str(pace), "-w", str(path), text], check=True)
    with wave.open(str(path)) as file:
        assert file.getframerate() == RATE, "espeak-ng speaks at another rate"
        samples = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2").astype(np.float64) / 32768
    loud = np.flatnonzero(np.abs(samples) > QUIET)
    samples = samples[max(0, loud[0] - 200) : loud[-1] + 1200]
    pressed = np.tanh(2.2 * samples / np.abs(samples).max())
    return np.asarray(LOUD * pressed / np.abs(pressed).max())


def write(language: str) -> None:
    """Write a language's sound and its table."""
    gap, parts, at, table = np.zeros(round(GAP_S * RATE)), [], GAP_S, {}
    parts.append(gap)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts(language).items():
            clip = spoken(text, language, Path(folder))
            table[name] = {"at": round(at, 3), "for": round(len(clip) / RATE, 3), "text": text}
            parts += [clip, gap]
            at += len(clip) / RATE + GAP_S
        raw = Path(folder) / "all.wav"
        with wave.open(str(raw), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes((np.concatenate(parts) * 32767).astype("<i2").tobytes())
        CLIPS.mkdir(exist_ok=True)
        sound = CLIPS / f"{language}.mp3"
        command = ["ffmpeg", "-loglevel", "error", "-y", "-i", str(raw), "-map_metadata", "-1", "-b:a", f"{KBIT}k"]
        subprocess.run([*command, str(sound)], check=True)
    rows = ",\n".join(f"{json.dumps(name)}: {json.dumps(row, ensure_ascii=False)}" for name, row in table.items())
    (CLIPS / f"{language}.json").write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")
    print(f"{language}: {len(table)} clips, {at:.0f} s, {sound.stat().st_size / 1000:.0f} kB", file=sys.stderr)


if __name__ == "__main__":
    for each in VOICES:
        write(each)
