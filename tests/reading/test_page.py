"""The page: complete in itself, nothing in it can act, and every conversation can be reached."""

from html.parser import HTMLParser

import pytest

from davinci_env.reading import conversation, page
from tests.reading import talk

VOID = {"meta", "br", "link", "img", "input"}


class Outline(HTMLParser):
    """What a page is made of; fails where tags are not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.links: list[str] = []
        self.names: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        self.attributes |= set(given)
        self.links += [given["href"] or ""] if "href" in given else []
        self.names += [given["id"] or ""] if "id" in given else []
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def of(count: int, **options: object) -> str:
    """A page of so many conversations."""
    task = talk.task()
    told = [conversation(task, talk.trajectory(task))] * count
    return "".join(page(told, **options))  # type: ignore[arg-type]


def test_a_page_needs_nothing_but_itself() -> None:
    text = of(2, title="runs")
    outline = Outline(text)
    assert not {"script", "link", "img", "iframe", "form", "object"} & set(outline.tags)
    assert not [name for name in outline.attributes if name.startswith("on")]
    assert {"src", "style"}.isdisjoint(outline.attributes)
    assert "http" not in text.replace("http-equiv", "")
    assert "url(" not in text
    assert "@import" not in text
    assert "default-src 'none'" in text
    assert 'name="viewport"' in text
    assert "prefers-color-scheme: dark" in text


def test_the_conversation_is_on_it() -> None:
    outline = Outline(of(1))
    for said in (
        "What is your e-mail address?",
        "✗ not_found: Nobody has that address.",
        "~ loans LN-00002: due_on 2026-04-02 → 2026-05-02, note – → x",
        "✗ breaks identify_first",
        "· corrected loan_id should be Loan (B)",
        "Turn 1, further wish, now with pay_fine",
        "expected 1 from SELECT 1",
        "not to be learned",
        "runs 3; calls 1",
    ):
        assert said in outline.text, said
    assert "index" not in outline.names


def test_several_have_an_index_that_leads_to_each() -> None:
    outline = Outline(of(3, title="runs"))
    assert outline.names == ["index", "c1", "c2", "c3"]
    assert {link.removeprefix("#") for link in outline.links} == set(outline.names)
    assert outline.text.count("2 of 3") == 1


def test_results_are_folded_unless_they_are_asked_for() -> None:
    assert "<details open>" not in of(1)
    assert "<details>" not in of(1, full=True)


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", '"><b onclick="x">', "</pre><i>"])
def test_nothing_out_of_a_record_becomes_markup(hostile: str) -> None:
    task = talk.task(
        request=talk.REQUEST.model_copy(
            update={"text": hostile, "persona": hostile, "facts": {hostile: hostile}}
        ),
        certificate={hostile: {hostile: [hostile]}},
    )
    changed = [hostile, hostile, "+", {hostile: hostile}]
    steps = (
        talk.said(0, "user", hostile),
        talk.event(1, "revealed", fact=hostile, value=hostile),
        talk.called(2, hostile, {hostile: [{hostile: hostile}]}, arguments={hostile: hostile}),
        talk.called(3, "x", {"error": {"message": hostile}}, error_code=hostile),
        talk.called(4, "x", {}, changes=(changed,), violated=(hostile,)),
    )
    trajectory = talk.trajectory(task, steps=steps, finish_reason=hostile)
    told = [conversation(task, trajectory), conversation(task)]
    outline = Outline("".join(page(told, title=hostile)))
    assert not {"script", "b onclick", "i"} & set(outline.tags)
    assert "onclick" not in outline.attributes
    assert outline.text.count(hostile) > 15
