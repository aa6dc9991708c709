"""What the SQLite graph writes, and what it counts, in SQL."""

SAVE_PERSON = """
INSERT INTO person VALUES (:uuid, :name, :occupation, :summary, :summary_short)
ON CONFLICT (uuid) DO UPDATE SET name = excluded.name,
  occupation = excluded.occupation, summary = excluded.summary, summary_short = excluded.summary_short
"""

SAVE_CONTENT = """
INSERT INTO content VALUES (:uuid, :name, :title, :author,
  :summary, :summary_short, :category, :status, :processed_date)
ON CONFLICT (uuid) DO UPDATE SET name = excluded.name, title = excluded.title,
  author = excluded.author, summary = excluded.summary,
  summary_short = excluded.summary_short, category = excluded.category, status = excluded.status,
  processed_date = COALESCE(excluded.processed_date, processed_date)
"""

SAVE_AUTHORED_BY = """
INSERT INTO authored_by (content, person) VALUES (?, ?)
ON CONFLICT (content) DO UPDATE SET person = excluded.person
"""

# A quote is as old as it was when it was first kept.
SAVE_QUOTE = """
INSERT INTO quote (uuid, text, section, page_reference, note, line, created_at, embedding)
VALUES (:uuid, :text, :section, :page_reference, :note, :line, COALESCE(:created_at, :now), :embedding)
ON CONFLICT (uuid) DO UPDATE SET text = excluded.text, section = excluded.section,
  page_reference = excluded.page_reference, note = excluded.note, line = excluded.line,
  embedding = COALESCE(excluded.embedding, embedding)
"""

SAVE_QUOTED_IN = """
INSERT INTO quoted_in (quote, content, position) VALUES (?, ?, ?)
ON CONFLICT (quote) DO UPDATE SET content = excluded.content, position = excluded.position
"""

SAVE_CONCEPT = """
INSERT INTO concept (uuid, name, title, concept, analysis, summary, summary_short, source, embedding)
VALUES (:uuid, :name, :title, :concept, :analysis, :summary, :summary_short, :source, :embedding)
ON CONFLICT (uuid) DO UPDATE SET name = excluded.name, title = excluded.title, concept = excluded.concept,
  analysis = excluded.analysis, summary = excluded.summary, summary_short = excluded.summary_short,
  source = excluded.source, embedding = COALESCE(excluded.embedding, embedding)
"""

SAVE_RELATION = """
INSERT INTO relation (source, target, type, reasoning, confidence)
VALUES (:source, :target, :type, :reasoning, :confidence)
ON CONFLICT (source, target, type) DO UPDATE SET reasoning = excluded.reasoning, confidence = excluded.confidence
"""

SAVE_SUPPORT = """
INSERT INTO supports (concept, quote, reasoning, confidence) VALUES (:concept, :quote, :reasoning, :confidence)
ON CONFLICT (concept, quote) DO UPDATE SET reasoning = excluded.reasoning, confidence = excluded.confidence
"""

REMOVE_CONCEPT = "DELETE FROM concept WHERE uuid = ?"
DROP_RELATION = "DELETE FROM relation WHERE source = :source AND target = :target AND type = :type"
DROP_SUPPORT = "DELETE FROM supports WHERE concept = :concept AND quote = :quote"
PROCESSED = "UPDATE content SET processed_date = NULLIF(COALESCE(?, processed_date), '') WHERE uuid = ?"

REMOVE_QUOTES_OF = "DELETE FROM quote WHERE uuid IN (SELECT quote FROM quoted_in WHERE content = ?)"
REMOVE_BOOK = "DELETE FROM content WHERE uuid = ?"
REMOVE_AUTHOR = "DELETE FROM person WHERE uuid = ? AND uuid NOT IN (SELECT person FROM authored_by)"

QUOTES_OF = """
SELECT quotes.* FROM quotes JOIN quoted_in ON quoted_in.quote = quotes.uuid
WHERE quoted_in.content = ? ORDER BY position, uuid
"""

RELATIONS = "SELECT * FROM relation ORDER BY source, target, type"
RELATIONS_OF = "SELECT * FROM relation WHERE source = ? ORDER BY target, type"
SUPPORTS = "SELECT * FROM supports ORDER BY concept, quote"
SUPPORTS_OF = "SELECT * FROM supports WHERE concept = ? ORDER BY quote"

VECTORS_OF = """
SELECT uuid, embedding FROM quote WHERE uuid IN (SELECT value FROM json_each(?1)) AND embedding IS NOT NULL
UNION ALL
SELECT uuid, embedding FROM concept WHERE uuid IN (SELECT value FROM json_each(?1)) AND embedding IS NOT NULL
"""

EMBEDDED = {
    "quote": "SELECT uuid, embedding FROM quote WHERE embedding IS NOT NULL",
    "concept": "SELECT uuid, embedding FROM concept WHERE embedding IS NOT NULL",
}

KNOWN = {
    "concept": "SELECT uuid FROM concept WHERE uuid IN (SELECT value FROM json_each(?))",
    "quote": "SELECT uuid FROM quote WHERE uuid IN (SELECT value FROM json_each(?))",
    "book": "SELECT uuid FROM content WHERE uuid IN (SELECT value FROM json_each(?))",
}

COUNTS = """
SELECT 'Content', COUNT(*) FROM content UNION ALL SELECT 'Quote', COUNT(*) FROM quote
UNION ALL SELECT 'Concept', COUNT(*) FROM concept UNION ALL SELECT 'Person', COUNT(*) FROM person
UNION ALL SELECT 'QUOTED_IN', COUNT(*) FROM quoted_in UNION ALL SELECT 'AUTHORED_BY', COUNT(*) FROM authored_by
UNION ALL SELECT 'SUPPORTS', COUNT(*) FROM supports UNION ALL SELECT 'RELATIONS', COUNT(*) FROM relation
"""
