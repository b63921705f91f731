"""Files that a running program has open and that need not have a name yet."""

import os
import pathlib


def are_without_name_in(folder):
    """Whether the folder's file system has files without a name (O_TMPFILE)."""
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o600))
    except OSError:
        return False
    return True


def held_by(program, folder):
    """How many open files of a program lie in the folder."""
    links = []
    for link in pathlib.Path(f"/proc/{program.pid}/fd").iterdir():
        try:
            links.append(os.readlink(link))
        except FileNotFoundError:  # closed meanwhile
            pass
    return sum(link.startswith(os.path.realpath(folder) + "/") for link in links)
