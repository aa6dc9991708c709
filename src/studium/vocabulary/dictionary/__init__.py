"""The Japanese dictionary: JMdict and KANJIDIC2 in one small file, prepared once."""
