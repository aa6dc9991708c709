"""Markdown in, HTML out: what a note says is what Anki shows."""

import pytest

from studium.cards.models import ProposedCard
from studium.cards.rendering import CardRenderer

DIJKSTRA = "obsidian://open?vault=My%20Studies&amp;file=net%2FDijkstra"
OSPF = "obsidian://open?vault=My%20Studies&amp;file=net%2FOSPF"


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("", ""),
        ("What is **flooded**?", "What is <strong>flooded</strong>?"),
        ("one\ntwo", "one<br>\ntwo"),
        ("one\n\ntwo", "<p>one</p>\n<p>two</p>"),
        ("~~no~~ and ==yes==", "<del>no</del> and <mark>yes</mark>"),
        ("a == b and c == d", "a == b and c == d"),
        (
            "- [ ] learn\n- [x] read",
            ('<ul>\n<li class="task-list-item">☐ learn</li>\n<li class="task-list-item">☑ read</li>\n</ul>'),
        ),
        ("seen %%not this%% and `%%this%%`", "seen  and <code>%%this%%</code>"),
        ("a %%over\n\ntwo%% b", "a  b"),
        (
            "Fact[^1].\n\n[^1]: Source.",
            (
                '<p>Fact<sup>1</sup>.</p>\n<section class="footnotes">\n<ol>\n<li>\n'
                "<p>Source. </p>\n</li>\n</ol>\n</section>"
            ),
        ),
        (
            "| a | b |\n|---|:-:|\n| 1 | 2 |",
            (
                '<table>\n<thead>\n<tr>\n<th>a</th>\n<th align="center">b</th>\n</tr>\n'
                '</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td align="center">2</td>\n</tr>\n</tbody>\n</table>'
            ),
        ),
        ("H<sub>2</sub>O <kbd>K</kbd> <b>b</b><br><u>u</u>", "H<sub>2</sub>O <kbd>K</kbd> <b>b</b><br><u>u</u>"),
        ("<details open><summary>S</summary>x</details>", '<details open=""><summary>S</summary>x</details>'),
        ('<span style="color:red;position:fixed">x</span>', '<span style="color:red">x</span>'),
        ("a block ^my-id", "a block"),
        ("- one ^id1\n- two", "<ul>\n<li>one</li>\n<li>two</li>\n</ul>"),
        ("a table\n\n^table-id", "a table"),
        ("a\n^id-2", "a"),
        ("x ^2 and `y ^abc`", "x ^2 and <code>y ^abc</code>"),
        ("5 < 6 & 7 > 3", "5 &lt; 6 &amp; 7 &gt; 3"),
        ("see https://a.example/b", 'see <a href="https://a.example/b">https://a.example/b</a>'),
    ],
)
def test_text(html, markdown, expected):
    assert html(markdown) == expected


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("$a_1*b*c_2$", r"\(a_1*b*c_2\)"),
        ("$x<y$", r"\(x&lt;y\)"),
        ("so $$\nx^2\n$$", r"so \[x^2\]"),
        ("$$\na\n\nb\n$$", "\\[a\nb\\]"),
        ("It costs $5 and $10.", "It costs $5 and $10."),
        ("$100-$200", "$100-$200"),
        ("`$x$` stays", "<code>$x$</code> stays"),
        ("```\n$$x$$\n```", "<pre><code>$$x$$\n</code></pre>"),
    ],
)
def test_mathematics(html, markdown, expected):
    assert html(markdown) == expected


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("[[Dijkstra]]", f'<a href="{DIJKSTRA}">Dijkstra</a>'),
        ("[[dijkstra|his *way*]]", f'<a href="{DIJKSTRA}">his *way*</a>'),
        ("[[Dijkstra#Proof]]", f'<a href="{DIJKSTRA}%23Proof">Dijkstra &gt; Proof</a>'),
        ("[[#Areas]]", f'<a href="{OSPF}%23Areas">Areas</a>'),
        ("[a **way**](Dijkstra.md#Proof)", f'<a href="{DIJKSTRA}%23Proof">a <strong>way</strong></a>'),
        ("[[Nobody]] and [x](nowhere.md)", "Nobody and x"),
        ("`[[Dijkstra]]` `![[x.png]]`", "<code>[[Dijkstra]]</code> <code>![[x.png]]</code>"),
        ("![[Dijkstra]]", f'<a href="{DIJKSTRA}">Dijkstra</a>'),
        ("![[Dijkstra#^b1|the block]]", f'<a href="{DIJKSTRA}%23%5Eb1">the block</a>'),
        (
            "| a |\n|---|\n| [[Dijkstra\\|D]] |",
            (
                f"<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n"
                f'<td><a href="{DIJKSTRA}">D</a></td>\n</tr>\n</tbody>\n</table>'
            ),
        ),
    ],
)
def test_links(html, markdown, expected):
    assert html(markdown) == expected


@pytest.mark.parametrize(
    ("markdown", "attributes"),
    [
        ("![[my map.png]]", 'alt="my map"'),
        ("![[my map.png|300]]", 'alt="my map" width="300"'),
        ("![[my map.png|300x200]]", 'alt="my map" width="300" height="200"'),
        ("![[my map.png|the map|300]]", 'alt="my map" width="300"'),
        ("![[my map.png|the map]]", 'alt="the map"'),
        ("![the map|300](../attachments/my%20map.png)", 'alt="the map" width="300"'),
        ("![](<attachments/my map.png>)", 'alt=""'),
        ('<img src="attachments/my map.png" width="50" onerror="x()">', 'alt="" width="50"'),
    ],
)
def test_pictures(render, markdown, attributes):
    card = render(markdown)
    (picture,) = card.media
    assert card.fields["Front"] == f'<img src="{picture.name}" {attributes}>'
    assert picture.path.endswith("attachments/my map.png")
    assert not card.findings


def test_a_picture_can_be_a_link(render):
    card = render("[![a map](../attachments/my%20map.png)](https://a.example)")
    assert card.fields["Front"] == f'<a href="https://a.example"><img src="{card.media[0].name}" alt="a map"></a>'


def test_a_picture_elsewhere_on_the_web_stays_there(html):
    assert html("![x|20](https://a.example/x.png)") == '<img src="https://a.example/x.png" alt="x" width="20">'


def test_a_sound_is_played(render):
    card = render("Listen: ![[bell.mp3]]")
    assert card.fields["Front"] == f"Listen: [sound:{card.media[0].name}]"


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        (
            "> [!note] Beware\n> of *this*",
            ('<div class="callout callout-note"><p class="callout-title">Beware</p>\n<p>of <em>this</em></p>\n</div>'),
        ),
        (
            "> [!FAQ]- Why?\n> So.",
            ('<details class="callout callout-question"><summary>Why?</summary>\n<p>So.</p>\n</details>'),
        ),
        (
            "> [!tip]+\n> So.",
            '<details class="callout callout-tip" open><summary>Tip</summary>\n<p>So.</p>\n</details>',
        ),
        ("> [!odd|right] T", '<div class="callout callout-note"><p class="callout-title">T</p>\n</div>'),
        (
            "> [!note] A\n> > [!danger] B\n> > b\n\n> c",
            (
                '<div class="callout callout-note"><p class="callout-title">A</p>\n'
                '<div class="callout callout-danger"><p class="callout-title">B</p>\n<p>b</p>\n'
                "</div>\n</div>\n<blockquote>\n<p>c</p>\n</blockquote>"
            ),
        ),
        ("> said\n> [!note]", "<blockquote>\n<p>said<br>\n[!note]</p>\n</blockquote>"),
    ],
)
def test_callouts(html, markdown, expected):
    assert html(markdown) == expected


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        (
            '```python\ndef f(n): return "<b>"  # n\n```',
            (
                '<span class="kw">def</span> <span class="fn">f</span>(n): '
                '<span class="kw">return</span> <span class="st">"&lt;b&gt;"</span>  <span class="cm"># n</span>\n'
            ),
        ),
        (
            "```KT\nval x = 0xFF // hex\n```",
            ('<span class="kw">val</span> x = <span class="nu">0xFF</span> <span class="cm">// hex</span>\n'),
        ),
        (
            "```sql\nselect a from t -- all\n```",
            ('<span class="kw">select</span> a <span class="kw">from</span> t <span class="cm">-- all</span>\n'),
        ),
        ("```js\na /* never closed\n```", 'a <span class="cm">/* never closed\n</span>'),
        ("```brainfog\nif x\n```", "if x\n"),
        ("```\nif x\n```", "if x\n"),
    ],
)
def test_code_is_coloured(html, markdown, expected):
    shown = html(markdown)
    assert shown.startswith("<pre><code")
    assert shown.partition("<code")[2].partition(">")[2] == f"{expected}</code></pre>"


def test_right_to_left_text_runs_its_own_way(html):
    assert html("מה זה OSPF?") == '<p dir="auto">מה זה OSPF?</p>'
    assert html("- ראשון\n- שני") == '<ul dir="auto">\n<li>ראשון</li>\n<li>שני</li>\n</ul>'


def test_a_card_of_ours_has_every_field_a_link_back_and_our_id(vault):
    card = ProposedCard(deck_name="Net", fields={"Front": "Q?", "Back": "A."})
    rendered = CardRenderer(vault).render(card, note_path="net/OSPF.md", heading="Answer (EN)", card_id="k1")
    assert rendered.note_type == "Studium Basic"
    assert list(rendered.fields.items()) == [
        ("Front", "Q?"),
        ("Back", "A."),
        ("Extra", ""),
        ("Hint", ""),
        ("Source", f'<a href="{OSPF}%23Answer%20%28EN%29">OSPF</a>'),
        ("Studium", "k1"),
    ]


def test_a_card_of_another_note_type_has_the_fields_it_was_given(vault):
    card = ProposedCard(deck_name="Net", card_type="Custom", model_name="Vocabulary", fields={"Word": "*fluten*"})
    rendered = CardRenderer(vault).render(card, note_path="net/OSPF.md", card_id="k1")
    assert rendered.fields == {"Word": "<em>fluten</em>"}


def test_the_same_card_is_always_rendered_alike(vault):
    card = ProposedCard(deck_name="Net", fields={"Front": "[[Dijkstra]] ![[my map.png]]", "Back": "```py\nx = 1\n```"})
    first, second = (CardRenderer(vault).render(card, note_path="net/OSPF.md", card_id="k1") for _ in range(2))
    assert first == second
