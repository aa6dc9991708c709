-- The graph as tables: a node label is a table, and so is a kind of link.
CREATE TABLE IF NOT EXISTS graph (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT OR IGNORE INTO graph VALUES ('schema', 1);

CREATE TABLE IF NOT EXISTS person (
  uuid TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  occupation TEXT NOT NULL,
  summary TEXT NOT NULL,
  summary_short TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS content (
  uuid TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  title TEXT NOT NULL,
  author TEXT NOT NULL,
  summary TEXT NOT NULL,
  summary_short TEXT NOT NULL,
  category TEXT NOT NULL,
  status TEXT NOT NULL,
  processed_date TEXT
);

CREATE TABLE IF NOT EXISTS authored_by (
  content TEXT PRIMARY KEY REFERENCES content ON DELETE CASCADE,
  person TEXT NOT NULL REFERENCES person
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS quote (
  uuid TEXT PRIMARY KEY,
  text TEXT NOT NULL,
  section TEXT NOT NULL,
  page_reference TEXT NOT NULL,
  note TEXT NOT NULL,
  line INTEGER,
  created_at TEXT NOT NULL,
  partition TEXT NOT NULL DEFAULT 'LEXICAL',
  embedding BLOB
);

CREATE TABLE IF NOT EXISTS quoted_in (
  quote TEXT PRIMARY KEY REFERENCES quote ON DELETE CASCADE,
  content TEXT NOT NULL REFERENCES content ON DELETE CASCADE,
  position INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS quoted_in_content ON quoted_in (content, position);

CREATE TABLE IF NOT EXISTS concept (
  uuid TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  title TEXT NOT NULL,
  concept TEXT NOT NULL,
  analysis TEXT NOT NULL,
  summary TEXT NOT NULL,
  summary_short TEXT NOT NULL,
  source TEXT NOT NULL,
  partition TEXT NOT NULL DEFAULT 'DOMAIN',
  embedding BLOB
);

CREATE TABLE IF NOT EXISTS supports (
  concept TEXT NOT NULL REFERENCES concept ON DELETE CASCADE,
  quote TEXT NOT NULL REFERENCES quote ON DELETE CASCADE,
  reasoning TEXT NOT NULL,
  confidence REAL,
  PRIMARY KEY (concept, quote)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS supports_quote ON supports (quote);

CREATE TABLE IF NOT EXISTS relation (
  source TEXT NOT NULL REFERENCES concept ON DELETE CASCADE,
  target TEXT NOT NULL REFERENCES concept ON DELETE CASCADE,
  type TEXT NOT NULL,
  reasoning TEXT NOT NULL,
  confidence REAL,
  PRIMARY KEY (source, target, type)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS relation_target ON relation (target);

-- What is told of a quote and of a concept; their vectors are long and have readers of their own.
CREATE VIEW IF NOT EXISTS quotes AS
  SELECT uuid, text, section, page_reference, note, line, created_at FROM quote;
CREATE VIEW IF NOT EXISTS concepts AS
  SELECT uuid, name, title, concept, analysis, summary, summary_short, source FROM concept;
