"""The Cypher statements of the Neo4j store; all values are passed as parameters."""

from studium.concepts.domain import RelationType

SCHEMA = (
    "CREATE CONSTRAINT content_uuid IF NOT EXISTS FOR (n:Content) REQUIRE n.uuid IS UNIQUE",
    "CREATE CONSTRAINT quote_uuid IF NOT EXISTS FOR (n:Quote) REQUIRE n.uuid IS UNIQUE",
    "CREATE CONSTRAINT concept_uuid IF NOT EXISTS FOR (n:Concept) REQUIRE n.uuid IS UNIQUE",
    "CREATE CONSTRAINT person_uuid IF NOT EXISTS FOR (n:Person) REQUIRE n.uuid IS UNIQUE",
)

VECTOR_INDEXES = (
    """
    CREATE VECTOR INDEX quote_embeddings_index IF NOT EXISTS FOR (n:Quote) ON (n.embedding)
    OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine'}}
    """,
    """
    CREATE VECTOR INDEX concept_embeddings_index IF NOT EXISTS FOR (n:Concept) ON (n.embedding)
    OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine'}}
    """,
)

DIMENSIONS = """
SHOW VECTOR INDEXES YIELD name, options WHERE name IN ['quote_embeddings_index', 'concept_embeddings_index']
RETURN options.indexConfig['vector.dimensions'] AS dimensions
"""

SAVE_CONTENT = "MERGE (n:Content {uuid: $uuid}) SET n += $properties"

SAVE_PERSON = """
MATCH (book:Content {uuid: $book})
MERGE (n:Person {uuid: $uuid}) SET n += $properties
MERGE (n)-[:AUTHORED_BY]->(book)
WITH n, book MATCH (other:Person)-[old:AUTHORED_BY]->(book) WHERE other <> n DELETE old
"""

# A quote is as old as it was when it was first kept.
SAVE_QUOTES = """
MATCH (book:Content {uuid: $book})
UNWIND $rows AS row
MERGE (n:Quote {uuid: row.uuid}) ON CREATE SET n.created_at = row.created_at
SET n += row.properties, n.partition = 'LEXICAL'
MERGE (n)-[place:QUOTED_IN]->(book) SET place.position = row.position
WITH n, book MATCH (n)-[old:QUOTED_IN]->(other:Content) WHERE other <> book DELETE old
"""

SAVE_CONCEPTS = """
UNWIND $rows AS row MERGE (n:Concept {uuid: row.uuid}) SET n += row.properties, n.partition = 'DOMAIN'
"""

EMBED = {
    label: f"""
    UNWIND $rows AS row MATCH (n:{label} {{uuid: row.uuid}})
    CALL db.create.setNodeVectorProperty(n, 'embedding', row.embedding)
    """
    for label in ("Quote", "Concept")
}

SAVE_SUPPORTS = """
UNWIND $rows AS row
MATCH (quote:Quote {uuid: row.quote}) MATCH (concept:Concept {uuid: row.concept})
MERGE (quote)-[link:SUPPORTS]->(concept) SET link.reasoning = row.reasoning, link.confidence = row.confidence
"""

# A type cannot be a parameter; these are the nine that we have, none from outside.
SAVE_RELATIONS = {
    type_: f"""
    UNWIND $rows AS row
    MATCH (source:Concept {{uuid: row.source}}) MATCH (target:Concept {{uuid: row.target}})
    MERGE (source)-[link:{type_}]->(target) SET link.reasoning = row.reasoning, link.confidence = row.confidence
    """
    for type_ in RelationType
}

DROP_RELATIONS = {
    type_: f"""
    UNWIND $rows AS row
    MATCH (:Concept {{uuid: row.source}})-[link:{type_}]->(:Concept {{uuid: row.target}}) DELETE link
    """
    for type_ in RelationType
}

DROP_SUPPORTS = """
UNWIND $rows AS row MATCH (:Quote {uuid: row.quote})-[link:SUPPORTS]->(:Concept {uuid: row.concept}) DELETE link
"""

PROCESSED = """
MATCH (n:Content {uuid: $book}) SET n.processed_date = nullIf(coalesce($date, n.processed_date), '')
"""
REMOVE_QUOTES = "MATCH (n:Quote) WHERE n.uuid IN $uuids DETACH DELETE n"
REMOVE_BOOK = (
    "MATCH (n:Quote)-[:QUOTED_IN]->(:Content {uuid: $uuid}) DETACH DELETE n",
    """
    MATCH (n:Person)-[:AUTHORED_BY]->(:Content {uuid: $uuid}) WHERE COUNT { (n)-[:AUTHORED_BY]->() } = 1
    DETACH DELETE n
    """,
    "MATCH (n:Content {uuid: $uuid}) DETACH DELETE n",
)
REMOVE_CONCEPTS = "MATCH (n:Concept) WHERE n.uuid IN $uuids DETACH DELETE n"

KNOWN = {
    "concept": "MATCH (n:Concept) WHERE n.uuid IN $uuids RETURN n.uuid AS uuid",
    "quote": "MATCH (n:Quote) WHERE n.uuid IN $uuids RETURN n.uuid AS uuid",
    "book": "MATCH (n:Content) WHERE n.uuid IN $uuids RETURN n.uuid AS uuid",
}

BOOK = "MATCH (n:Content {uuid: $uuid}) RETURN n {.*} AS node"
BOOKS = "MATCH (n:Content) RETURN n {.*} AS node ORDER BY n.title, n.uuid"
AUTHOR_OF = "MATCH (n:Person)-[:AUTHORED_BY]->(:Content {uuid: $uuid}) RETURN n {.*} AS node"
PEOPLE = "MATCH (n:Person) RETURN n {.*} AS node ORDER BY n.uuid"
CONCEPT = "MATCH (n:Concept {uuid: $uuid}) RETURN n {.*, embedding: null} AS node"
CONCEPTS = "MATCH (n:Concept) RETURN n {.*, embedding: null} AS node ORDER BY n.title, n.uuid"
QUOTES_OF = """
MATCH (n:Quote)-[place:QUOTED_IN]->(:Content {uuid: $uuid})
RETURN n {.*, embedding: null} AS node ORDER BY place.position, n.uuid
"""

VECTORS_OF = """
MATCH (n:Quote) WHERE n.uuid IN $uuids AND n.embedding IS NOT NULL RETURN n.uuid AS uuid, n.embedding AS vector
UNION ALL
MATCH (n:Concept) WHERE n.uuid IN $uuids AND n.embedding IS NOT NULL RETURN n.uuid AS uuid, n.embedding AS vector
"""

# The index compares rounded vectors: it names candidates, and their true vectors decide.
SEARCH = """
CALL db.index.vector.queryNodes($index, $candidates, $vector) YIELD node
WITH node, vector.similarity.cosine(node.embedding, $vector) AS score WHERE score >= $threshold
RETURN node {.*, embedding: null} AS node, score ORDER BY score DESC, node.uuid LIMIT $limit
"""

RELATIONS = """
MATCH (source:Concept)-[link]->(target:Concept)
RETURN link {.*, source: source.uuid, target: target.uuid, type: type(link)} AS node
ORDER BY source.uuid, target.uuid, type(link)
"""
RELATIONS_OF = RELATIONS.replace("(source:Concept)", "(source:Concept {uuid: $uuid})")

SUPPORTS = """
MATCH (quote:Quote)-[link:SUPPORTS]->(concept:Concept)
RETURN link {.*, quote: quote.uuid, concept: concept.uuid} AS node ORDER BY concept.uuid, quote.uuid
"""
SUPPORTS_OF = SUPPORTS.replace("(concept:Concept)", "(concept:Concept {uuid: $uuid})")

COUNTS = """
RETURN
  COUNT { (:Content) } AS Content,
  COUNT { (:Quote) } AS Quote,
  COUNT { (:Concept) } AS Concept,
  COUNT { (:Person) } AS Person,
  COUNT { (:Quote)-[:QUOTED_IN]->(:Content) } AS QUOTED_IN,
  COUNT { (:Person)-[:AUTHORED_BY]->(:Content) } AS AUTHORED_BY,
  COUNT { (:Quote)-[:SUPPORTS]->(:Concept) } AS SUPPORTS,
  COUNT { (:Concept)-->(:Concept) } AS RELATIONS
"""
