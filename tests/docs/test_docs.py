import re
import subprocess
import sys
from pathlib import Path

import pytest

from studium.core.config import load_settings

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])


def test_the_pages_made_from_the_code_are_fresh():
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "generate.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_inside_the_docs_leads_somewhere(page):
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text())
    assert not [link for link in links if "://" not in link and not (page.parent / link).exists()]


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "docs" / "configuration.md"], ids=lambda page: page.name)
def test_the_settings_shown_can_be_used(page, tmp_path):
    [shown] = re.findall(r"```yaml\n(.*?)```", page.read_text(), re.DOTALL)
    (tmp_path / "studium.yaml").write_text(shown)
    settings = load_settings(tmp_path / "studium.yaml")
    assert settings.role("questions.generator") == "ollama:qwen3:14b"
    assert settings.role("questions.validator") == "rules"
