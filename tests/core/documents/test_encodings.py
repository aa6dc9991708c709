"""Texts in older encodings are read as they were written, and a finding says how."""

import pytest

from studium.core.documents import read_document
from studium.core.domain.finding import Severity

GERMAN = "Die Änderung der Größe führt zu größeren Schäden für die Straße. Übermäßig viele Flüsse fließen nach Süden.\n"
ENGLISH = "The café’s “naïve” owner said the river — which is long — isn’t wide.\n"
CREDITS = "Copyright © 1998 by Martin Müller.\n" + "It has many lines of plain text.\n" * 30
POLISH = "Największa rzeka płynie przez całą Polskę i wpada do Bałtyku. Świat się bardzo zmienił.\n"
CZECH = "Největší řeka protéká celou zemí a její délka je známá. Řeky jsou velmi dlouhé a široké.\n"
RUSSIAN = "Самая длинная река течёт на север и впадает в море. Весной она несёт больше воды, чем осенью.\n"
JAPANESE = "この川は北へ流れて海に注ぎます。春には他の季節よりも多くの水を運びます。\n"
CHINESE = "这条河向北流入大海。春天的水量比其他季节多。我们将介绍数据转换的方法。\n"
KOREAN = "이 강은 북쪽으로 흘러 바다로 들어갑니다. 봄에는 다른 계절보다 더 많은 물을 나릅니다.\n"


@pytest.mark.parametrize("suffix", [".txt", ".html"])
@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "latin-1"),
        (ENGLISH, "cp1252"),
        (CREDITS, "cp1252"),
        (POLISH, "cp1250"),
        (CZECH, "cp1250"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc-jp"),
        (CHINESE, "gb18030"),
        (KOREAN, "euc-kr"),
        (GERMAN, "utf-16"),
    ],
)
def test_an_older_encoding_is_detected(tmp_path, text, encoding, suffix):
    path = tmp_path / f"page{suffix}"
    path.write_bytes((f"<html><body><p>{text}</p></body></html>" if suffix == ".html" else text).encode(encoding))
    reading = read_document(path)
    assert reading.document is not None
    assert reading.document.text.replace("\ufeff", "").split() == text.split()
    assert all(finding.severity is Severity.INFO for finding in reading.findings)


def test_the_detected_encoding_is_told(tmp_path):
    path = tmp_path / "page.txt"
    path.write_bytes(GERMAN.encode("latin-1"))
    (finding,) = read_document(path).findings
    assert finding.code == "document.encoding"
    assert "Windows-1252" in finding.message


@pytest.mark.parametrize("encoding", ["utf-16-le", "iso2022_jp"])
def test_a_text_without_a_mark_or_with_escapes_is_read(tmp_path, encoding):
    path = tmp_path / "page.txt"
    path.write_bytes((JAPANESE * 3).encode(encoding))
    assert read_document(path).document.text == JAPANESE * 3


def test_bytes_that_are_no_text_are_refused(tmp_path):
    path = tmp_path / "page.txt"
    path.write_bytes(bytes(range(1, 256)) * 40)
    assert read_document(path).document is None
