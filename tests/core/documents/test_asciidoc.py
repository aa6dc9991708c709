"""AsciiDoc becomes Markdown: titles, lists, tables, code, admonitions, links and attributes."""

import pytest

from studium.core.documents import read_document

GUIDE = """\
= The Guide
Ada Byron <ada@example.org>
v1.2, 2024-05-01
:product: Studium
:url: https://example.org

== Rivers[[rivers]]

{product} is *fast* and _small_; see {url}[the site], <<setup,the setup>> and `a_b_c`.
It is wrapped.footnote:[Not here.] // not a comment

// a comment
* one
** inner
* two
+
attached to two

//-
. first
. second
+
----
$ run
----

Words:

Term:: what it
means
Other::
  its meaning

NOTE: Mind the gap.

[WARNING]
====
Do not fall.
====

.Lengths
[%header,cols="1,2"]
|===
|River |Length
|Rhine
|1233 km
|*Elbe* |1094 km
|===

|===
|Oder |840 km
|Main |527 km
|===

[source,python]
----
# no heading
x = {product}
----

 literal text

____
Rough consensus.
____

ifdef::other[]
for others
endif::[]
ifndef::other[]
for us
endif::[]
include::secret.adoc[]
////
hidden
////

Sub
~~~
The end -- of it...
"""

TEXT = """\
# The Guide

## Rivers

Studium is fast and small; see the site, the setup and a_b_c. It is wrapped. // not a comment

- one
  - inner
- two

  attached to two

1. first
2. second

```
$ run
```

Words:

- Term: what it means
- Other: its meaning

Note: Mind the gap.

Warning: Do not fall.

Lengths

| River | Length |
| --- | --- |
| Rhine | 1233 km |
| Elbe | 1094 km |

|  |  |
| --- | --- |
| Oder | 840 km |
| Main | 527 km |

```
# no heading
x = {product}
```

```
 literal text
```

> Rough consensus.

for us

### Sub

The end — of it…
"""


@pytest.fixture
def text_of(tmp_path):
    def read(source, name="guide.adoc"):
        path = tmp_path / name
        path.write_text(source)
        reading = read_document(path)
        assert reading.document is not None, reading.findings
        return reading.document.text

    return read


def test_a_guide_becomes_markdown(text_of):
    assert text_of(GUIDE) == TEXT


def test_blocks_and_visuals_are_known(tmp_path):
    path = tmp_path / "guide.asciidoc"
    path.write_text(GUIDE + "\n.A map\nimage::map.png[Map]\n\nText.\n")
    document = read_document(path).document
    assert document.kind == "asciidoc"
    assert {block.kind for block in document.pages[0].blocks()} == {"text", "list", "code", "table", "quote"}
    assert [(visual.kind, visual.caption) for visual in document.visuals()] == [
        ("table", "Lengths"),
        ("table", ""),
        ("figure", "A map"),
    ]


def test_underlined_titles_and_references_of_git(text_of):
    source = "giteveryday(7)\n==============\n\nNAME\n----\ngiteveryday - see linkgit:git-add[1]\n"
    assert text_of(source) == "# giteveryday(7)\n\n## NAME\n\ngiteveryday - see git-add(1)\n"


def test_a_text_that_is_clearly_asciidoc_is_read_as_such(text_of):
    assert text_of(GUIDE, "guide.txt") == TEXT
    plain = "Rivers\n======\n\nThey flow:: always.\n\n.. note::\n   Not AsciiDoc.\n\nNOTE: they do.\n[source]\n"
    assert text_of(plain, "rivers.txt") == plain


def test_the_header_of_a_table_is_told_by_a_blank_line(text_of):
    assert text_of("|===\n|a |b\n\n|1 |2\n|===\n").startswith("| a | b |\n| --- | --- |\n| 1 | 2 |")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("a **b**c and #d# of [.role]#e#", "a bc and d of e"),
        ("x^2^ and H~2~O", "x2 and H2O"),
        ("link:a.html[the page,window=_blank] or mailto:x@y.z[me]", "the page or me"),
        ("press kbd:[Ctrl+C], choose menu:File[Save]", "press Ctrl+C, choose File > Save"),
        ("an_under_score and 2*3*4 stay", "an_under_score and 2*3*4 stay"),
        ("{unknown} and \\{product}", "{unknown} and \\{product}"),
        ('say "`so`"', "say “so”"),
    ],
)
def test_inline_markup_is_removed(text_of, source, text):
    assert text_of(f"{source}\n") == f"{text}\n"


def test_attributes_do_not_grow(text_of):
    source = ":a: " + "x" * 400 + "\n" + "".join(f":a{n}: " + "{a}" * 100 + "\n" for n in range(50)) + "\n{a49} end\n"
    assert len(text_of(source)) < 1_000


def test_a_file_with_nothing_to_read_is_refused(tmp_path):
    path = tmp_path / "guide.adoc"
    path.write_text(":a: b\n\n// nothing\ninclude::other.adoc[]\n")
    reading = read_document(path)
    assert reading.document is None
    assert reading.findings[0].code == "file.empty"
