#!/usr/bin/env python3
"""action.yml runs as GitHub runs it, and workflows as src/report/README.md shows them.

Each step of the action runs through the bash that GitHub would start, in an empty folder, with the files and
variables of a runner and the program that was built, installed. Inputs are put into `env` as the action says.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import yaml

SOURCE, BUILD = pathlib.Path(os.environ["ROPEWALK_SOURCE"]), os.environ["ROPEWALK_BUILD"]
FAULTS, KERNELS = os.environ.get("ROPEWALK_FAULTS_LIBRARY", ""), os.environ.get("ROPEWALK_KERNELS_LIBRARY", "")
sys.path.insert(0, str(SOURCE / "tests/report"))
import validate  # noqa: E402

ACTION = yaml.safe_load((SOURCE / "action.yml").read_text(encoding="utf-8"))
INPUTS = ACTION["inputs"]
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
NAME, CACHE, INSTALL, VERIFY, KEEP = STEPS
README = (SOURCE / "src/report/README.md").read_text(encoding="utf-8")
BLOCKS = [yaml.safe_load(text) for text in re.findall(r"^```yaml\n(.*?)^```", README, re.M | re.S)]
QUICK = {"model": "gpt-j-6b", "arguments": "--dtype\nf32\n--law\naccuracy\n--cases\n5\n--allow-cut\n--seed\n1"}
REPORTS = {"json": "verify.json", "junit": "verify.xml", "sarif": "verify.sarif", "markdown": "verify.md"}

installed = tempfile.TemporaryDirectory()


def setUpModule():
    subprocess.run(["cmake", "--install", BUILD, "--prefix", installed.name, "--component", "tool"], check=True,
                   stdout=subprocess.DEVNULL)


def tearDownModule():
    installed.cleanup()


def stand_in(path, script):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/bash\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


class Runner:
    """A runner of GitHub Actions with an empty workspace."""

    def __init__(self, folder):
        self.root = pathlib.Path(folder)
        self.workspace, self.bin, self.temp = (self.root / name for name in ("workspace", "bin", "temp"))
        self.tree = SOURCE
        for place in (self.workspace, self.bin, self.temp):
            place.mkdir()
        self.files = {name: self.root / name for name in ("output", "env", "path", "step_summary")}
        for file in self.files.values():
            file.touch()
        self.path = [str(self.bin), "/usr/bin", "/bin"]

    def install(self):
        self.path.insert(1, f"{installed.name}/bin")

    def run(self, name, **inputs):
        """Runs a step with inputs; the others have their defaults."""
        step, values = STEPS[name], {key: str(INPUTS[key]["default"]) for key in INPUTS}
        values.update(inputs)
        filled = {key: re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda found: values[found[1]], text)
                  for key, text in step["env"].items()}
        script = self.root / "step.sh"
        script.write_text(step["run"], encoding="utf-8")
        runner = {"GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": str(self.tree), "RUNNER_TEMP": str(self.temp),
                  "PATH": ":".join(self.path), "HOME": str(self.root), "LANG": "C.UTF-8",
                  **{f"GITHUB_{key.upper()}": str(file) for key, file in self.files.items()}}
        return subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)], cwd=self.workspace,
                              env={**runner, **filled}, capture_output=True, text=True, timeout=250, check=False)


class Action(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.runner = Runner(folder.name)

    def assert_code(self, done, code):
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)

    def recorded(self, **inputs):
        """The arguments that `ropewalk` is called with."""
        stand_in(self.runner.bin / "ropewalk", f"printf '%s\\0' \"$@\" >{self.runner.root}/arguments")
        self.assert_code(self.runner.run(VERIFY, **inputs), 0)
        return (self.runner.root / "arguments").read_text(encoding="utf-8").split("\0")[:-1]

    def test_is_a_composite_action_whose_inputs_reach_scripts_through_the_environment_alone(self):
        self.assertEqual(ACTION["runs"]["using"], "composite")
        used = []
        for step in ACTION["runs"]["steps"]:
            if "run" not in step:
                continue
            self.assertEqual(step["shell"], "bash")
            self.assertNotIn("${{", step["run"])
            for name, value in step["env"].items():
                key = re.fullmatch(r"\$\{\{ inputs\.([a-z-]+) \}\}", value)[1]
                self.assertEqual(name, f"INPUT_{key.upper()}")
                self.assertIn(f"${name}", step["run"])
                used.append(key)
        for key in re.findall(r"inputs\.([a-z-]+)", str(STEPS[KEEP])):
            used.append(key)
        self.assertEqual(set(used), set(INPUTS))
        for name, described in INPUTS.items():
            self.assertRegex(described["description"], r"^[A-Z].*\.$", name)
            self.assertIsInstance(described["default"], str)
        self.assertEqual(STEPS[VERIFY]["id"], "verify")
        self.assertEqual(ACTION["outputs"]["exit-code"]["value"], "${{ steps.verify.outputs.exit-code }}")

    def test_the_installed_program_has_the_schema_of_its_reports(self):
        for name in ("verify-report", "explained-config", "compared-configs", "explained-engines"):
            schema = pathlib.Path(installed.name, f"share/ropewalk/{name}.schema.json")
            self.assertEqual(json.loads(schema.read_text(encoding="utf-8"))["$id"], f"urn:ropewalk:{name}:1")

    def test_a_kernel_that_holds(self):
        self.runner.install()
        shutil.copy(KERNELS, self.runner.workspace / "libmine.so")
        self.assert_code(self.runner.run(INSTALL), 0)
        done = self.runner.run(VERIFY, **QUICK, kernel="library:./libmine.so#cpu-table", promise="rounded-table")
        self.assert_code(done, 0)
        self.assertNotIn("::error", done.stdout)
        self.assertEqual(self.runner.files["output"].read_text(), "exit-code=0\n")
        folder = self.runner.workspace / INPUTS["reports"]["default"]
        self.assertEqual(sorted(os.listdir(folder)), sorted(REPORTS.values()))
        for kind, name in REPORTS.items():
            self.assertEqual(validate.faults_of(kind, folder / name), [])
        self.assertEqual(self.runner.files["step_summary"].read_text(), (folder / "verify.md").read_text())
        report = json.loads((folder / "verify.json").read_text())
        self.assertEqual({(one["law"], one["promise"]) for one in report["verdicts"]}, {("accuracy", "rounded-table")})

    def test_a_kernel_that_fails(self):
        self.runner.install()
        shutil.copy(FAULTS, self.runner.workspace / "libmine.so")
        for fail, code in (("true", 1), ("false", 0)):
            done = self.runner.run(VERIFY, **QUICK, kernel="library:./libmine.so#fault-tail", fail=fail,
                                   reports=f"in/{fail}")
            self.assert_code(done, code)
            self.assertRegex(done.stdout, r"(?m)^::error file=libmine\.so,title=ropewalk ")
            self.assertEqual(self.runner.files["output"].read_text().splitlines()[-1], "exit-code=1")
            self.assertEqual(len(os.listdir(self.runner.workspace / "in" / fail)), len(REPORTS))
        summary = self.runner.files["step_summary"].read_text()
        self.assertEqual(summary.count("### ropewalk verify: 1 of 1 verdicts fail\n"), 2)

    def test_bad_input_fails_whatever_fail_says(self):
        self.runner.install()
        for inputs, words in (({"kernel": "nope"}, "no kernel named 'nope'"),
                              ({"fail": "maybe"}, "fail is maybe; allowed: true, false"),
                              ({"reports": ""}, "reports is ''; allowed: a folder")):
            done = self.runner.run(VERIFY, **{"fail": "false", **inputs})
            self.assert_code(done, 2)
            self.assertIn(words, done.stderr)
            self.assertEqual(self.runner.files["step_summary"].read_text(), "")

    def test_inputs_become_options(self):
        reports = [f"--report={kind}=out/{name}" for kind, name in REPORTS.items()]
        called = self.recorded(kernel="library:./a.so\nprogram:python3 mine.py\n", model="one\ntwo", config="c.json",
                               promise="hf", arguments="--cases\n5\n--skip-law\nnorm=not ours\n", reports="out")
        self.assertEqual(called, ["verify", "--kernel=library:./a.so", "--kernel=program:python3 mine.py",
                                  "--model=one", "--model=two", "--config=c.json", "--promise=hf", "--cases", "5",
                                  "--skip-law", "norm=not ours", *reports])
        self.assertEqual(self.recorded(table="a.npy\nengine.npz#cos", **{"as": "cos"}, model="m", reports="out"),
                         ["verify", "--table=a.npy", "--table=engine.npz#cos", "--as=cos", "--model=m", *reports])
        self.assertEqual(self.recorded(reports="out"), ["verify", *reports])

    def test_hostile_inputs_stay_arguments(self):
        hostile = "$(touch /tmp/ropewalk-injected) `id` \"; exit 0; ' * ~ \\ --fail && $HOME #"
        for name in ("kernel", "table", "as", "model", "config", "promise"):
            self.assertIn(f"--{name}={hostile}", self.recorded(**{name: hostile}))
        self.assertIn(hostile, self.recorded(arguments=hostile))
        self.assertIn(f"--report=json={hostile}/verify.json", self.recorded(reports=hostile))
        self.assertTrue((self.runner.workspace / hostile).is_dir())
        self.assertFalse(os.path.exists("/tmp/ropewalk-injected"))
        self.runner.install()
        (self.runner.bin / "ropewalk").unlink()
        done = self.runner.run(VERIFY, kernel="--list", model="--help")
        self.assert_code(done, 2)
        self.assertIn("no kernel named '--list'", done.stderr)

    def test_a_package_is_installed_by_its_path(self):
        stand_in(self.runner.bin / "apt-get", f"printf '%s\\n' \"$*\" >>{self.runner.root}/apt")
        stand_in(self.runner.bin / "sudo", f"echo asked >>{self.runner.root}/sudo; exec \"$@\"")
        (self.runner.workspace / "my package.deb").touch()
        for user, asked in ((0, False), (1000, True)):
            stand_in(self.runner.bin / "id", f"echo {user}")
            self.assert_code(self.runner.run(INSTALL, package="my package.deb"), 0)
            self.assertEqual((self.runner.root / "sudo").exists(), asked)
            self.assertEqual((self.runner.root / "apt").read_text().splitlines()[-1], "-qq install --yes "
                             f"--no-install-recommends {self.runner.workspace.resolve()}/my package.deb")
        for name in ("none.deb", "-o=x", "$(id)\n::error::x"):
            done = self.runner.run(INSTALL, package=name)
            self.assert_code(done, 2)
            self.assertRegex(done.stderr, r"\Aropewalk: package is .*; allowed: the path of a Debian package\n\Z")

    def test_the_cache_is_asked_for_the_tree_that_would_be_built(self):
        self.runner.tree = self.runner.root / "tree"
        stand_in(self.runner.tree / "dev", "exit 3")

        def checksum(**inputs):
            self.runner.files["output"].write_text("")
            self.assert_code(self.runner.run(NAME, **inputs), 0)
            return self.runner.files["output"].read_text()

        first = checksum()
        self.assertRegex(first, r"\Achecksum=[0-9a-f]{32}\n\Z")
        stand_in(self.runner.tree / "build/made", "")
        self.assertEqual(checksum(), first)
        stand_in(self.runner.tree / "src/new", "")
        self.assertNotEqual(checksum(), first)
        self.assertEqual(checksum(package="a.deb"), "")
        self.assertIn("steps.tree.outputs.checksum", STEPS[CACHE]["with"]["key"])
        self.assertIn(STEPS[CACHE]["with"]["path"].replace("~", "$HOME"), STEPS[INSTALL]["run"])
        self.runner.install()
        self.assertEqual(checksum(), "")

    def test_without_a_program_the_actions_own_tree_is_built(self):
        self.runner.tree = self.runner.root / "tree"
        stand_in(self.runner.tree / "dev", f"printf '%s\\n' \"$@\" >{self.runner.root}/asked\n"
                 f'mkdir -p "$2/bin" && cp {installed.name}/bin/ropewalk "$2/bin/ropewalk"')
        self.assert_code(self.runner.run(INSTALL), 0)
        built = self.runner.root / ".cache/ropewalk-action"
        self.assertEqual((self.runner.root / "asked").read_text(), f"install\n{built}\n")
        self.assertEqual(self.runner.files["path"].read_text(), f"{built}/bin\n")
        self.assertLessEqual({"libc6", "libpugixml1v5"}, set((built / "packages").read_text().split()))
        stand_in(self.runner.tree / "dev", "exit 3")
        stand_in(self.runner.bin / "apt-get", f"printf '%s\\n' \"$*\" >>{self.runner.root}/apt")
        stand_in(self.runner.bin / "id", "echo 0")
        self.assert_code(self.runner.run(INSTALL), 0)  # as kept by the cache: with its libraries, but not built again
        self.assertIn(" libpugixml1v5", (self.runner.root / "apt").read_text().splitlines()[-1])
        (built / "packages").unlink()
        self.assert_code(self.runner.run(INSTALL), 3)
        stand_in(self.runner.bin / "ropewalk", "exit 0")  # the program is there
        self.assert_code(self.runner.run(INSTALL), 0)


class Documented(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.runner = Runner(folder.name)

    def quick(self):
        """The installed program, which runs few cases whatever its command says."""
        stand_in(self.runner.bin / "ropewalk",
                 f'exec {installed.name}/bin/ropewalk "$@" --cases 5 --allow-cut --seed 1 --law accuracy --dtype f32')

    def test_every_block_is_of_a_known_kind(self):
        self.assertEqual(re.findall(r"^```(\w+)$", README, re.M), ["yaml"] * len(BLOCKS))
        self.assertEqual(len(BLOCKS), 6)

    def test_the_table_of_inputs_is_the_actions(self):
        rows = re.findall(r"^\| ([a-z-]+) \| (.*) \|$", README.split("| input |")[1], re.M)
        self.assertEqual([name for name, _ in rows], list(INPUTS))
        for name, meaning in rows:
            default = re.search(r"\(([\w-]+)\)", meaning)
            self.assertEqual(default[1] if default else "", INPUTS[name]["default"], name)

    def test_workflows_call_the_action_with_inputs_that_it_has(self):
        called = []
        for workflow in BLOCKS[:2]:
            self.assertEqual(workflow[True], "push")  # YAML 1.1 reads `on` so
            job = workflow["jobs"]["rope"]
            self.assertEqual((job["runs-on"], job["container"]), ("ubuntu-latest", "debian:12"))
            step = job["steps"][-1]
            self.assertRegex(step["uses"], r"^OWNER/ropewalk@\w+$")
            self.assertLessEqual(set(step["with"]), set(INPUTS))
            called.append(step["with"])
        for text in re.findall(r"^```yaml\n(on: .*?)^```", README, re.M | re.S):
            self.assertLessEqual(len(text.splitlines()), 12)
        self.assertLessEqual({"table", "as"}, set(called[1]))
        self.quick()
        shutil.copy(KERNELS, self.runner.workspace / "libmine.so")
        done = self.runner.run(VERIFY, **called[0])
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertIn("libmine.so", (self.runner.workspace / "ropewalk-reports/verify.json").read_text())
        (self.runner.bin / "ropewalk").unlink()
        self.runner.install()
        subprocess.run([f"{installed.name}/bin/ropewalk", "table", "cos", "--model", called[1]["model"], "--dtype",
                        "f32", "--positions", "64", "--output", "engine.npz"], cwd=self.runner.workspace, check=True,
                       capture_output=True)
        done = self.runner.run(VERIFY, **called[1])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("engine.npz#cos", (self.runner.workspace / "ropewalk-reports/verify.json").read_text())

    def test_the_workflow_of_a_function_installs_as_the_readme_does(self):
        steps = [step["run"] for step in BLOCKS[2]["jobs"]["rope"]["steps"] if "run" in step]
        readme = (SOURCE / "README.md").read_text(encoding="utf-8")
        self.assertIn(steps[-2].replace("./ropewalk", "."), readme)
        self.assertIn("ropewalk.holds", readme)
        jobs = subprocess.run([SOURCE / "dev", "--help"], capture_output=True, text=True, check=True).stdout
        self.assertIn(f"\n  {steps[1].split()[1]} ", jobs)

    def test_the_upload_names_the_file_that_the_action_writes(self):
        step, = BLOCKS[3]
        self.assertEqual(step["with"]["sarif_file"], f"{INPUTS['reports']['default']}/verify.sarif")

    def test_the_gitlab_job_runs(self):
        job = BLOCKS[4]["rope"]
        self.quick()
        stand_in(self.runner.bin / "apt-get", f"printf '%s\\n' \"$*\" >>{self.runner.root}/apt")
        (self.runner.workspace / "ropewalk_1_amd64.deb").touch()
        shutil.copy(FAULTS, self.runner.workspace / "libmine.so")
        script = "set -eo pipefail\n" + "\n".join(job["script"]).replace("libmine.so", "libmine.so#fault-angle-f32")
        done = subprocess.run(["bash", "-c", script], cwd=self.runner.workspace, capture_output=True, text=True,
                              timeout=250, env={"PATH": ":".join(self.runner.path)}, check=False)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        asked = (self.runner.root / "apt").read_text().splitlines()
        self.assertEqual(asked[-1], "install --yes ./ropewalk_1_amd64.deb")
        file = self.runner.workspace / job["artifacts"]["reports"]["junit"]
        self.assertEqual(validate.faults_of("junit", file), [])
        self.assertEqual(job["artifacts"]["when"], "always")

    def test_the_weekly_workflow_keeps_the_page_that_dev_writes(self):
        steps = BLOCKS[5]["jobs"]["engines"]["steps"]
        dev = (SOURCE / "dev").read_text(encoding="utf-8")
        self.assertIn("  engines [--newest] ", dev)
        command, upload = steps[-2]["run"], steps[-1]["with"]
        self.assertEqual(command, "ropewalk/dev engines --newest")
        self.assertIn(f"--newest) page={upload['path'].removeprefix('ropewalk/')} ;;", dev)


if __name__ == "__main__":
    if not FAULTS or not KERNELS:
        sys.exit(77)
    unittest.main()
