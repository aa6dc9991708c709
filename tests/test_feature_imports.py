"""Using one feature imports no other: its commands, its jobs, and the help of all of them."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from functools import cache
from importlib.resources import files
from pathlib import Path

from studium.core.config import Settings
from studium.core.features import Ref, all_features, all_job_types

FEATURES = ("cards", "vocabulary", "questions", "concepts", "tutor")
SAMPLES = Path(str(files("studium") / "app" / "sample_files"))
# A use of each feature that reaches its rules.
USES = {
    "cards": ["cards", "sync", str(SAMPLES / "vault"), "--to", "cards.apkg"],
    "vocabulary": ["vocab", "cache"],
    "questions": [
        "questions",
        "generate",
        str(SAMPLES / "questions" / "harbour.md"),
        "--count",
        "1",
        "--scenario",
        "study",
    ],
    "concepts": ["concepts", "parse", str(SAMPLES / "quotes" / "Henry David Thoreau - Walden.md")],
    "tutor": ["tutor", "ask", "02-static-routing", "Why is the next hop refused?"],
}


def imported_by(code, cwd):
    """The modules of Studium that are imported by some code in a process of its own."""
    listing = f"import sys\ntry:\n  {code}\nfinally:\n  print('LOADED', *sys.modules)"
    home = {"STUDIUM_HOME": str(cwd / "home"), "STUDIUM_EMBEDDER": "none"}
    done = subprocess.run(
        [sys.executable, "-c", listing], cwd=cwd, env=os.environ | home, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return {name for name in done.stdout.rpartition("LOADED")[2].split() if name.startswith("studium.")}


def features_in(modules):
    """The features among these modules; a package and its `feature.py` are only names, and do not count."""
    inner = (name.split(".")[1] for name in modules if name.count(".") > 1 and not name.endswith(".feature"))
    return set(inner) & set(FEATURES)


def test_using_one_feature_imports_it_and_no_other(tmp_path_factory):
    def use(name):
        return imported_by(f"from studium.cli.app import main; main({USES[name]!r})", tmp_path_factory.mktemp(name))

    with ThreadPoolExecutor(2) as pool:
        used = dict(zip(USES, pool.map(use, USES), strict=True))
    assert {name: features_in(modules) for name, modules in used.items()} == {name: {name} for name in FEATURES}


def test_help_imports_no_feature(tmp_path):
    assert features_in(imported_by("from studium.cli.app import main; main(['--help'])", tmp_path)) == set()


def test_a_job_imports_its_own_feature_only(tmp_path):
    code = "from studium.core.features import find_job_type; find_job_type('cards.sync')"
    assert features_in(imported_by(code, tmp_path)) == {"cards"}


def test_every_reference_of_every_feature_loads():
    assert [feature.name for feature in all_features()] == list(FEATURES)
    for feature in all_features():
        values = [getattr(feature, field.name) for field in fields(feature)]
        for ref in [each for value in values for each in (value if isinstance(value, tuple) else (value,))]:
            if isinstance(ref, Ref):
                assert ref.load() is not None


def test_names_begin_with_the_feature():
    for feature in all_features():
        named = [*feature.skills.load(), *feature.jobs.load()]
        assert [each.name for each in named if not each.name.startswith(f"{feature.name}.")] == []
    job_types = {feature.after_review[0] for feature in all_features() if feature.after_review}
    assert job_types <= all_job_types().keys()


@cache
def roles_of_skills():
    return {skill.role for feature in all_features() for skill in feature.skills.load()}


def test_the_settings_name_the_roles_of_the_skills():
    roles = Settings().roles
    assert {f"{name}.{step}" for name in FEATURES for step in vars(getattr(roles, name))} == roles_of_skills()
    assert {role for feature in all_features() for pair in feature.must_differ for role in pair} <= roles_of_skills()
