"""System calls that fail, and a clock that jumps, while a server runs. `failing.c` is the library that does this."""

import functools
import mmap
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest

FUNCTIONS = ["write", "pwrite", "pread", "fsync", "open", "accept"]
SHORT = -1
# The numbers of `struct failing`, and the number behind them in `struct faults`.
ENTRY, AHEAD = struct.Struct("=IiII"), struct.Struct("=q")


@functools.cache
def library():
    """Compiles the library, and returns its path."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="relist-failing-"))
    unittest.addModuleCleanup(library.cache_clear)
    unittest.addModuleCleanup(subprocess.run, ["rm", "-r", folder])
    source = pathlib.Path(__file__).with_name("failing.c")
    compiler = next(name for name in ["cc", "clang"] if shutil.which(name))
    command = [compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", folder / "failing.so", source]
    subprocess.run(command, check=True)
    return folder / "failing.so"


class Failing:
    """The system calls of a server that fail."""

    def __init__(self, folder):
        self.path = folder / "failing"
        self.path.write_bytes(bytes(ENTRY.size * len(FUNCTIONS) + AHEAD.size))
        with open(self.path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)
        self.variables = {"LD_PRELOAD": str(library()), "FAILING": str(self.path)}

    def fail(self, function, error, every):
        """Makes each call fail whose number is a multiple of `every`."""
        ENTRY.pack_into(self.memory, ENTRY.size * FUNCTIONS.index(function), every, error, 0, 0)

    def end(self):
        """Makes all calls succeed from now on."""
        for number in range(len(FUNCTIONS)):
            struct.pack_into("=I", self.memory, ENTRY.size * number, 0)

    def set_clock(self, seconds):
        """Puts the clock ahead by a number of seconds, or back if it is negative."""
        AHEAD.pack_into(self.memory, ENTRY.size * len(FUNCTIONS), seconds)

    def failures(self, function):
        return ENTRY.unpack_from(self.memory, ENTRY.size * FUNCTIONS.index(function))[3]
