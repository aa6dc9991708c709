import pytest

from studium.cards.models import ProposedCard
from studium.cards.rendering import CardRenderer
from studium.core.documents.vault import Vault

NOTE = "net/OSPF.md"


@pytest.fixture
def vault(tmp_path):
    """A small vault: three notes, a picture, a sound, a secret beside it, and a link that would show the secret."""
    root = tmp_path / "vault"
    for name in ("net/OSPF.md", "net/Dijkstra.md", "Glossary.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("A note.")
    (root / "attachments").mkdir()
    (root / "attachments" / "my map.png").write_bytes(b"a picture")
    (root / "attachments" / "bell.mp3").write_bytes(b"a sound")
    (tmp_path / "secret.png").write_bytes(b"a secret")
    (root / "innocent.png").symlink_to(tmp_path / "secret.png")
    return Vault.of(root, "My Studies")


@pytest.fixture
def render(vault):
    """Renders one field of a card of the note `net/OSPF.md`."""
    renderer = CardRenderer(vault)

    def rendered(markdown, model="Studium Basic", field="Front"):
        card = ProposedCard(deck_name="Net", model_name=model, fields={field: markdown})
        return renderer.render(card, note_path=NOTE, card_id="k1")

    return rendered


@pytest.fixture
def html(render):
    """The HTML of one field."""
    return lambda markdown: render(markdown).fields["Front"]
