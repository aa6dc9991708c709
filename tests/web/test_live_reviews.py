"""Every visitor of the inbox sees what changed."""

from contextlib import nullcontext
from types import SimpleNamespace

from studium.core.database import Database
from studium.core.domain.decision import Action, Decision
from studium.web.inbox import live_reviews as module
from studium.web.inbox.live_reviews import LiveReviews


class Visitor(nullcontext):
    """An open page, and how often it was updated."""

    id = "page"
    told = 0

    def on_delete(self, _):
        pass

    async def changed(self):
        self.told += 1


async def test_a_review_that_came_and_went_between_two_polls_is_reported_to_those_who_saw_it(home, monkeypatch):
    home.mkdir()
    with Database.open(f"sqlite:///{home / 'database.sqlite'}") as database:
        monkeypatch.setattr(module, "service", lambda: SimpleNamespace(database=database))
        monkeypatch.setattr(LiveReviews, "_poll", lambda _: None)  # the test polls itself
        monkeypatch.setattr(module.background_tasks, "create", lambda *_, **__: None)
        reviews, visitor = LiveReviews(), Visitor()
        reviews.listen(visitor, visitor.changed)
        await reviews.refresh()
        await reviews.notify()
        before = visitor.told
        run = database.runs.start("cards", {}).id
        database.items.save(run, "gone", [Decision(item="gone.md", action=Action.MANUAL_REVIEW)])
        await reviews.refresh()  # a page opens, and shows it
        database.runs.delete([run])
        await reviews.refresh()
        await reviews.notify()
    assert reviews.lines == []
    assert visitor.told > before
