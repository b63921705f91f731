#!/usr/bin/env python3
"""Completions of bash, zsh and fish, by completing: each shell runs in a terminal, and a word and a tab are typed."""
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

source = pathlib.Path(os.environ["ROPEWALK_SOURCE"])
command = os.environ.get("ROPEWALK_COMMAND")
if not command:
    print("skipped: the tool was not built")
    sys.exit(77)
scripts = source / "src/package/completion"
patience = 60  # seconds for a shell to start or to answer, on a busy machine
attempts = 12
clear_line = "\x15"  # Ctrl-U, in each of the three

SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], f"source {scripts}/ropewalk.bash"),
    "zsh": (["zsh", "-f", "-i"], f"fpath=({scripts} $fpath); autoload -Uz compinit; compinit -u -D"),
    "fish": (["fish", "--no-config", "-i"], f"source {scripts}/ropewalk.fish"),
}


def candidates(*words):
    done = subprocess.run([command, "complete", *words], capture_output=True, text=True, check=True)
    return [line.split("\t")[0] for line in done.stdout.splitlines()]


class Terminal:
    """A shell with its completions loaded."""

    def __init__(self, shell):
        words, setup = SHELLS[shell]
        self.home = tempfile.TemporaryDirectory()
        self.seen = ""
        self.process, self.end = pty.fork()
        if self.process == 0:
            os.environ.update(HOME=self.home.name, TERM="xterm", PS1="$ ", XDG_CONFIG_HOME=self.home.name,
                              XDG_DATA_HOME=self.home.name, COLUMNS="200",
                              PATH=os.path.dirname(command) + ":" + os.environ["PATH"])
            os.chdir(self.home.name)
            os.execvp(words[0], words)
        self.type(setup + "; echo rea''dy\n")
        self.wait_for("ready")

    def type(self, text):
        os.write(self.end, text.encode())

    def wait_for(self, wanted, seconds=patience):
        """Reads until the text is seen, and returns whether it was."""
        until = time.monotonic() + seconds
        while wanted not in self.plain() and time.monotonic() < until:
            if select.select([self.end], [], [], 0.2)[0]:
                self.seen += os.read(self.end, 65536).decode(errors="replace")
        return wanted in self.plain()

    def plain(self):
        return re.sub(r"\x1b(\[[0-9;?>=]*[a-zA-Z]|[()=>].?)|\r", "", self.seen)

    def completes(self, typed, to):
        """Types the words and a tab, and the line anew where nothing came: a shell drops what arrives before its prompt."""
        for _ in range(attempts):
            self.type(clear_line + typed + "\t")
            if self.wait_for(to, patience / attempts):
                return True
        return False

    def close(self):
        os.close(self.end)
        os.waitpid(self.process, 0)
        self.home.cleanup()


class Completions(unittest.TestCase):
    def test_commands(self):
        self.assertIn("verify", candidates(""))
        self.assertEqual(candidates("ver"), ["verify"])
        self.assertNotIn("complete", candidates("c"))

    def test_options_of_a_command(self):
        self.assertEqual(candidates("verify", "--mod"), ["--model"])
        self.assertIn("--verbose", candidates("models", "--v"))

    def test_values(self):
        self.assertEqual(candidates("verify", "--model", "llama-3.1-8"), ["llama-3.1-8b"])
        self.assertEqual(candidates("verify", "--law", "acc"), ["accuracy"])
        self.assertIn("cpu-table", candidates("verify", "--kernel", "cpu-t"))
        self.assertEqual(candidates("verify", "--kernel", "exact", "--promise", "rounded"), ["rounded-table"])
        self.assertEqual(candidates("table", "inv"), ["inv-freq"])
        self.assertEqual(candidates("table", "cos-sin", "--layout", "vl"), ["vllm"])
        self.assertEqual(candidates("table", "inv-freq,co"), ["inv-freq,cos", "inv-freq,cos-sin"])
        self.assertEqual(candidates("table", "xpos", "--side", "k"), ["key"])
        self.assertEqual(candidates("table", "cos", "--format", "gg"), ["gguf"])
        self.assertEqual(candidates("table", "sinusoidal", "--layout", "sin"), ["sin-cos"])
        self.assertEqual(candidates("explain", "law", "extra"), ["extrapolation"])
        self.assertIn("18", candidates("explain", "claim", "1"))

    def test_every_value_of_an_option_that_takes_several(self):
        self.assertIn("norm", candidates("verify", "--law", "accuracy", "n"))
        self.assertIn("norm", candidates("verify", "--law=accuracy", "n"))
        self.assertEqual(candidates("verify", "--law", "accuracy", "--mod"), ["--model"])
        self.assertIn("cos", candidates("table", "--model", "gpt-j-6b", "c"))  # it takes one

    def test_kernels_that_apply_can_run(self):
        kernels = candidates("apply", "--kernel", "")
        self.assertIn("cpu-table", kernels)
        self.assertEqual(set(kernels), set(candidates("verify", "--kernel", "")))

    def test_names_that_go_on_behind_an_equals_sign(self):
        self.assertIn("norm=", candidates("verify", "--skip-law", ""))
        self.assertEqual(candidates("verify", "--skip-law", "norm="), [])
        self.assertEqual(candidates("verify", "--report", "json="), [])
        self.assertEqual(candidates("verify", "--promise", "angle"), ["angle-f64", "angle-f32", "angle="])
        self.assertEqual(candidates("verify", "--promise", "angle="),
                         ["angle=exact", "angle=f64", "angle=f32", "angle=bf16"])
        self.assertEqual(candidates("verify", "--promise", "angle=f32,table=d"), ["angle=f32,table=data"])
        self.assertNotIn("angle=f32,angle=", candidates("verify", "--promise", "angle=f32,"))

    def test_a_value_in_the_word_of_its_option(self):
        self.assertEqual(candidates("table", "--layout=v"), ["--layout=vllm"])
        self.assertEqual(candidates("table", "sinusoidal", "--layout=s"), ["--layout=sin-cos"])
        self.assertEqual(candidates("verify", "--promise=angle=b"), ["--promise=angle=bf16"])
        self.assertEqual(candidates("models", "--json="), [])

    def test_the_value_of_an_option_is_no_argument(self):
        self.assertEqual(candidates("explain", "entry", "--model", "claim", ""), [])
        self.assertIn("vllm", candidates("table", "--name", "sinusoidal", "--layout", ""))

    def test_nothing_is_an_option_behind_two_dashes(self):
        for words in [("verify", "--", "--"), ("verify", "--", ""), ("table", "--", "--"), ("--", "--v"), ("--", "ver")]:
            self.assertEqual(candidates(*words), [], words)
        self.assertIn("cos", candidates("table", "--", "c"))

    def test_the_options_of_another_program_are_known(self):
        self.assertEqual(candidates("bench", "--kv"), ["--kv-heads"])
        self.assertIn("recipe-hf-f32", candidates("bench", "--kernel", "rec"))

    def test_no_word_has_no_completions(self):
        self.assertEqual(candidates(), [])

    def test_files_are_left_to_the_shell(self):
        self.assertEqual(candidates("verify", "--config", ""), [])
        self.assertEqual(candidates("nonsense", ""), [])

    def test_in_each_shell(self):
        for shell in SHELLS:
            with self.subTest(shell=shell):
                if not shutil.which(shell):
                    self.skipTest(f"{shell} is not installed")
                for typed, to in (("ropewalk verify --mod", "--model"),
                                  ("ropewalk verify --model llama-3.1-8", "llama-3.1-8b"),
                                  ("ropewalk table cos-sin --layout=vl", "--layout=vllm"),
                                  ("ropewalk verify --promise angle=f32,table=d", "angle=f32,table=data"),
                                  ("ropewalk verify --skip-law relative-p", "relative-position="),
                                  ("ropewalk verify --report json=conf", "json=config.json"),
                                  ("ropewalk explain config conf", "config.json")):
                    terminal = Terminal(shell)
                    try:
                        open(os.path.join(terminal.home.name, "config.json"), "w").close()
                        self.assertTrue(terminal.completes(typed, to), terminal.plain())
                    finally:
                        terminal.close()


if __name__ == "__main__":
    unittest.main()
