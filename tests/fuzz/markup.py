"""Documents other than PDF: HTML, JATS, EPUB, plain text and Markdown."""
# ruff: noqa: E501 - tables read better in long lines

import zipfile
from io import BytesIO

from hypothesis import strategies as st
from tests.fuzz.pieces import FILLERS, TIMES, Case, damaged, encode, encoded, files, repeated, seldom, texts

_TAGS = (
    "div", "p", "span", "b", "i", "table", "tr", "td", "th", "ul", "ol", "li", "dl", "dd", "dt", "h1", "h2", "h6", "blockquote", "pre", "code", "a", "img", "svg",
    "math", "mi", "mrow", "mfrac", "ruby", "rt", "br", "hr", "script", "style", "title", "head", "body", "html", "template", "select", "option", "form", "table",
    "figure", "figcaption", "sup", "sub", "section", "article", "nav", "aside", "iframe", "noscript", "textarea", "x-y", "font", "center",
)  # fmt: skip
HTML_LINES = (
    "<!DOCTYPE html>", "<html lang='{}'>", "<head><title>{}</title><meta charset='{}'></head>", "<p>{}</p>", "<p>{}", "<h1>{}</h1>", "<h2 id={}>{}</h2>",
    "<table><tr><th>{}</th><td colspan={} rowspan={}>{}</td></tr></table>", "<td colspan='{}'>", "<ul><li>{}<ul><li>{}</ul></ul>", "<ol start={}><li value='{}'>{}</ol>",
    "<img src='{}' alt='{}'>", "<a href='{}'>{}</a>", "<pre>{}</pre>", "<!-- {} -->", "<!--{}", "<![CDATA[{}]]>", "<?xml version='1.0' encoding='{}'?>", "&#{};", "&#x{};", "&{};",
    "<svg><text>{}</text></svg>", "<math><mfrac><mi>{}</mi><mn>{}</mn></mfrac></math>", "<ruby>{}<rt>{}</rt></ruby>", "<script>{}</script>", "<style>{}</style>", "<div class='{}' style='{}' {}={}>{}",
    "<blockquote class='{}'>{}</blockquote>", "<div class=bookTitle>{}</div>", "<div class=noteHeading>Highlight - Page {}</div><div class=noteText>{}</div>", "<textarea>{}", "<plaintext>{}", "{}",
)  # fmt: skip
HTML_MARKS = (
    *tuple(f"<{tag}>" for tag in _TAGS),
    "<a b='",
    "<!--",
    "-->",
    "<",
    ">",
    "&",
    "&#9",
    "</p>",
    "</div>",
    "'",
    '"',
    " a=b",
    "<table><tr><td>",
    "<ul><li>",
    "x",
    " ",
    "<a></a>",
)

_JATS_LINES = (
    "<article>", "<front><article-meta><article-id pub-id-type='doi'>{}</article-id><title-group><article-title>{}</article-title></title-group>", "</article-meta></front>",
    "<contrib-group><contrib><name><surname>{}</surname><given-names>{}</given-names></name></contrib></contrib-group>", "<abstract><p>{}</p></abstract>", "<body>", "<sec><title>{}</title>", "</sec>",
    "<p>{}</p>", "<p>{}<xref ref-type='fig' rid='{}'>{}</xref></p>", "<fig id='{}'><label>{}</label><caption><p>{}</p></caption></fig>", "<table-wrap><table><tr><td colspan='{}'>{}</td></tr></table></table-wrap>",
    "<disp-formula><tex-math>{}</tex-math></disp-formula>", "<inline-formula><mml:math xmlns:mml='http://www.w3.org/1998/Math/MathML'><mml:mi>{}</mml:mi></mml:math></inline-formula>", "<list><list-item><p>{}</p></list-item></list>",
    "<ref-list><ref><mixed-citation>{}</mixed-citation></ref></ref-list>", "</body>", "</article>", "<?xml version='1.0' encoding='{}'?>", "<!DOCTYPE article [<!ENTITY a '{}'>]>", "&a;", "&{};", "<![CDATA[{}]]>", "<a:b xmlns:a='{}'/>", "<!-- {} -->", "<?{} ?>",
)  # fmt: skip
_JATS_MARKS = (
    "<sec>",
    "<p>",
    "<list><list-item>",
    "<bold>",
    "<sub>",
    "<fig>",
    "<table>",
    "<tr>",
    "<td>",
    "<",
    "&a;",
    "&#9",
    "<!--",
    "<![CDATA[",
    "x",
    " ",
    "]]>",
    "<a b='",
    "</sec>",
    "</p>",
)

_BOMB = (
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    + "]>"
)


def html() -> st.SearchStrategy[Case]:
    """Web pages."""
    return files(("page.html", "page.xhtml", "page.htm"), texts(HTML_LINES, HTML_MARKS))


@st.composite
def _articles(draw: st.DrawFn) -> str:
    inside = draw(texts(_JATS_LINES, _JATS_MARKS))
    top = draw(
        st.sampled_from(["", "<?xml version='1.0'?>\n", _BOMB, "<!DOCTYPE article SYSTEM 'file:///etc/passwd'>"])
    )
    if draw(st.booleans()):
        return top + inside
    # Mostly well formed around what need not be: else nothing but the beginning is read.
    ends = draw(st.sampled_from(["</sec></body></article>", ""]))
    return f"{top}<article><front/><body><sec><title>t</title>{inside}{ends}"


def jats() -> st.SearchStrategy[Case]:
    """Articles in JATS."""
    return files(("article.xml", "article.nxml"), _articles())


_TEXT_LINES = (
    "{}",
    "{} {}. {}",
    "    {}",
    "1. {}",
    "* {}",
    "# {}",
    "{}\n===",
    "{}\n---",
    "| {} | {} |",
    "|---|---|",
    "```\n{}\n```",
    "> {}",
    "Figure {}: {}",
    "\f{}",
    "[{}]: {}",
    "$$\n{}\n$$",
    "---\na: {}\n---",
)
_TEXT_MARKS = (
    " ",
    "\t",
    "\n",
    "a",
    "a ",
    "a.",
    ".",
    ". ",
    "|",
    "-",
    "=",
    "*",
    "#",
    "> ",
    ">",
    "- ",
    "1. ",
    "[",
    "(",
    "`",
    "```\n",
    "~~~\n",
    "$",
    "$$",
    "!",
    "\f",
    "夢",
    "\u0301",
    "\u200b",
    "9",
    "a-\n",
)


def text() -> st.SearchStrategy[Case]:
    """Plain text and Markdown, in many encodings."""
    return files(("a.txt", "a.text", "a.md", "a.markdown"), texts(_TEXT_LINES, _TEXT_MARKS))


_CONTAINER = '<container><rootfiles><rootfile full-path="{}"/></rootfiles></container>'
_PACKAGES = ("book.opf", "OEBPS/book.opf", "../book.opf", "", "missing.opf", "/book.opf")


_BZIP2_UP_TO = 200_000  # it takes a second for some megabytes


@st.composite
def _chapter(draw: st.DrawFn) -> bytes:
    written = draw(encoded(texts(HTML_LINES, HTML_MARKS, most=5)))
    if draw(seldom(80)):
        # Millions of elements take a few kilobytes of a book.
        unit = draw(
            st.sampled_from(["<p>", "<p>x</p>", "<b>", "<div>", "<li>", "<td>", "<br/>", " ", "&amp;", "<a href='x'>"])
        )
        written += repeated(unit, draw(st.sampled_from([100_000, 1_000_000])), 5_000_000).encode()
    return b"<html><body>" + written + draw(st.sampled_from([b"</body></html>", b""]))


@st.composite
def _books(draw: st.DrawFn) -> bytes:
    package = draw(st.sampled_from(_PACKAGES[:2] * 4 + _PACKAGES[2:]))
    names = draw(
        st.lists(
            st.sampled_from(["c1.xhtml", "c2.xhtml", "a b.html", "../c.xhtml", "c1.xhtml", "nav.xhtml", "c%201.xhtml"]),
            min_size=1,
            max_size=3,
        )
    )
    folder = package.rpartition("/")[0]
    word = draw(FILLERS).replace("<", "").replace("&", "").replace('"', "")
    items = "".join(
        f'<item id="i{n}" href="{name}" media-type="application/xhtml+xml"/>' for n, name in enumerate(names)
    )
    spine = repeated("".join(f'<itemref idref="i{n}"/>' for n in range(len(names))), max(1, draw(TIMES)), 100_000)
    opf = f"<package><metadata><title>{word}</title><creator>{word}</creator></metadata><manifest>{items}</manifest><spine>{spine}</spine></package>"
    chapters = {name: draw(_chapter()) for name in names}
    how = draw(st.sampled_from([zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_BZIP2]))
    if how == zipfile.ZIP_BZIP2 and sum(map(len, chapters.values())) > _BZIP2_UP_TO:
        how = zipfile.ZIP_DEFLATED
    made = BytesIO()
    with zipfile.ZipFile(made, "w", how) as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr("META-INF/container.xml", _CONTAINER.replace("{}", package))
        book.writestr(package.lstrip("/") or "book.opf", encode(opf))
        for name, chapter in chapters.items():
            book.writestr(f"{folder}/{name}".lstrip("/"), chapter)
        if draw(seldom(10)):
            book.writestr("META-INF/encryption.xml", "<encryption><EncryptedData/></encryption>")
    return made.getvalue()


def epub() -> st.SearchStrategy[Case]:
    """Books, some of whose chapters are a thousand times as large as in the archive."""
    return st.tuples(st.just("book.epub"), damaged(_books()))


_ASCIIDOC_LINES = (
    "= {}", "== {}", "{}\n----", ":{}: {}", "{{}}", "[source,{}]", "[NOTE]\n====\n{}\n====", "----\n{}\n----", "....\n{}", "* {}\n** {}", ". {}\n.. {}", "{}:: {}", "{}::\n  {}\n+\n--\n{}\n--",
    "|===\n|{} |{}\n\n|{}\n|===", "[cols={}*,options=header]\n|===\n{}+|{}", ",===\n{},{}\n,===", "ifdef::{}[]\n{}\nendif::[]", "include::{}[]", "image::{}[{}]", "link:{}[{}] <<{},{}>>", "footnote:[{}]", "____\n{}\n____",
    ".{}", "NOTE: {}", "*{}* _{}_ `{}` ^{}^", "////\n{}\n////", "{}",
)  # fmt: skip
_ASCIIDOC_MARKS = (
    "*", "**", "_", "`", "``", "#", "+", "++", "[", "]", "[[", "<<", ">>", "((", "::", ";;", "|", "|===\n", "----\n", "====\n", "--\n", "....\n", "____\n", "+\n", "\n", " ", "a", "a:: ", "* ", ". ", "{a}",
    "https://a[", "link:a[", "image:a[", "footnote:[", "ifdef::a[]\n", "endif::[]\n", "= ", ":a: {a}\n", "^", "~", "'",
)  # fmt: skip


def asciidoc() -> st.SearchStrategy[Case]:
    """AsciiDoc."""
    return files(("guide.adoc", "guide.asciidoc"), texts(_ASCIIDOC_LINES, _ASCIIDOC_MARKS))
