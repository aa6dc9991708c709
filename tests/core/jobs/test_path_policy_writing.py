"""Files that are yet to be written lie under the allowed folders, too."""

import pytest

from studium.core.domain.errors import BadInput, NotFound
from studium.core.jobs.service import PathPolicy
from studium.core.jobs.uploads import Uploads


@pytest.fixture
def places(tmp_path):
    (tmp_path / "root" / "decks").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    return PathPolicy((tmp_path / "root",), Uploads(tmp_path / "uploads", 1000))


def test_a_new_file_may_be_named_from_the_root_or_in_full(places, tmp_path):
    assert places.resolve_for_writing("decks/cards.apkg") == tmp_path / "root" / "decks" / "cards.apkg"
    assert places.resolve_for_writing("cards.apkg") == tmp_path / "root" / "cards.apkg"
    assert places.resolve_for_writing(str(tmp_path / "root" / "cards.apkg")) == tmp_path / "root" / "cards.apkg"


@pytest.mark.parametrize(
    "given", ["../cards.apkg", "decks/..", "/cards.apkg", "/etc/cards.apkg", "~/cards.apkg", "", "x/"]
)
def test_a_path_outside_is_refused(places, given):
    with pytest.raises(BadInput):
        places.resolve_for_writing(given)


def test_a_missing_folder_is_reported(places):
    with pytest.raises(NotFound):
        places.resolve_for_writing("nowhere/cards.apkg")


def test_a_link_that_leads_out_is_refused(places, tmp_path):
    (tmp_path / "root" / "cards.apkg").symlink_to(tmp_path / "outside" / "cards.apkg")
    with pytest.raises(BadInput):
        places.resolve_for_writing("cards.apkg")
