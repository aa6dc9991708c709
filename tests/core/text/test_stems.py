"""Forms of a word meet in its stem, and other words do not."""

from concurrent.futures import ThreadPoolExecutor

from studium.core.text.stems import STEMMED_LANGUAGES, share_stem, stem

FORMS = {
    "en": (
        "network networks network's Networks’",
        "build built building builds",
        "write wrote written writing",
        "woman women",
        "run ran running",
        "study studies studied",
        "quiz quizzes",
        "matrix matrices",
        "café cafés CAFÉ",
    ),
    "de": ("Haus Häuser Hauses", "Straße Straßen STRASSE", "Netz Netze Netzen"),
    "es": ("hábito hábitos", "canción canciones", "escribir escribió escribiendo", "puerto puertos"),
    "fr": ("cheval chevaux", "réseau réseaux", "étudiant étudiants"),
    "it": ("rete reti", "abitudine abitudini"),
    "pt": ("rede redes", "porta portas"),
    "ru": ("порт порта портов портами", "ёлка елка ёлки", "соединение соединения соединений"),
}


def test_forms_of_a_word_share_a_stem():
    for language, lines in FORMS.items():
        for line in lines:
            stems = {stem(word, language) for word in line.split()}
            assert len(stems) == 1, (language, line, stems)


def test_different_words_have_different_stems():
    for language, one, other in (
        ("en", "port", "portal"),
        ("en", "bus", "but"),
        ("en", "ruler", "ruin"),
        ("de", "Tor", "Tag"),
        ("ru", "порт", "порода"),
    ):
        assert not share_stem(one, other, language)


def test_without_a_language_the_script_decides():
    assert stem("портов") == stem("порта", "ru")
    assert stem("networks") == "network"
    assert share_stem("Ports", "port")


def test_words_without_a_stemmer_are_only_folded():
    assert stem("日本語") == "日本語"
    assert stem("Ｔｈｅ") == "the"
    assert stem("Wörter", "xx") == "worter"
    assert stem("es", "en") == "es"
    assert stem("", "en") == ""


def test_a_region_changes_nothing():
    assert stem("puertos", "es-MX") == stem("puertos", "es_AR") == stem("puerto", "es")


def test_many_threads_get_the_same_stems():
    words = [f"network{ending}" for ending in ("s", "ing", "ed", "er", "ers", "able")] * 50
    languages = sorted(STEMMED_LANGUAGES)
    asked = [(word, language) for word in words for language in languages]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda each: stem.__wrapped__(*each), asked))
    assert found == [stem(*each) for each in asked]
