"""Runs other programs; a failed one ends the calibration with its message."""

import subprocess

from .files import fail


def output_of(command, what, most_seconds):
    """What the command prints. `what` names it in errors."""
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=most_seconds, check=False)
    except OSError as error:
        fail(f"{command[0]}: {error.strerror}")
    except subprocess.TimeoutExpired:
        fail(f"{what} took more than {most_seconds} s")
    if result.returncode != 0:
        fail(f"{what} failed (exit code {result.returncode}): {(result.stderr or result.stdout).strip()[-2000:]}")
    return result.stdout
