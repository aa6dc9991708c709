"""Each real part starts and answers over its own wire."""

import socket
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import httpx
import pytest
from tests.real.chromium import rendered
from tests.real.frr import refusal
from tests.real.neo4j import Neo4j


def ask(server: Neo4j, statement: str, **parameters: object) -> list[list[object]]:
    """The rows that a Cypher statement gives over Neo4j's HTTP door."""
    question = {"statement": statement, "parameters": parameters}
    reply = httpx.post(f"{server.http}/db/neo4j/query/v2", json=question, timeout=60)
    assert reply.is_success, reply.text
    return reply.json()["data"]["values"]


@pytest.mark.part("neo4j")
@pytest.mark.xdist_group("neo4j")
def test_neo4j_answers_cypher(neo4j):
    assert ask(neo4j, "RETURN $first + $second", first=20, second=22) == [[42]]


@pytest.mark.part("neo4j")
@pytest.mark.xdist_group("neo4j")
def test_neo4j_finds_the_nearest_vector_and_scores_it_half_of_one_plus_the_cosine(neo4j):
    ask(
        neo4j,
        "CREATE VECTOR INDEX near FOR (p:Point) ON p.vector "
        "OPTIONS {indexConfig: {`vector.dimensions`: 2, `vector.similarity_function`: 'cosine'}}",
    )
    ask(neo4j, "CREATE (:Point {name: 'east', vector: [1.0, 0.0]}), (:Point {name: 'north', vector: [0.0, 1.0]})")
    ask(neo4j, "CALL db.awaitIndexes(60)")
    rows = ask(
        neo4j,
        "CALL db.index.vector.queryNodes('near', 2, [1.0, 0.0]) YIELD node, score "
        "RETURN node.name, score ORDER BY score DESC",
    )
    assert [name for name, _ in rows] == ["east", "north"]
    assert [score for _, score in rows] == pytest.approx([1.0, 0.5], abs=1e-3)
    ask(neo4j, "DROP INDEX near")
    ask(neo4j, "MATCH (p:Point) DELETE p")


@pytest.mark.part("neo4j")
@pytest.mark.xdist_group("neo4j")
def test_neo4j_speaks_bolt(neo4j):
    """The magic word, then the versions we can speak; the server picks one."""
    host, port = neo4j.bolt.removeprefix("bolt://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as wire:
        wire.sendall(bytes.fromhex("6060B017 00000405 00000000 00000000 00000000"))
        assert wire.recv(4) == bytes.fromhex("00000405")


@pytest.mark.part("frr")
def test_frr_accepts_a_good_configuration_and_names_the_line_of_a_bad_one():
    assert refusal("hostname r1\nrouter ospf\n network 10.0.0.0/24 area 0\n") is None
    assert "line 2: % Unknown command" in refusal("hostname r1\nrouter osfp\n")


@pytest.mark.part("chromium")
def test_chromium_runs_the_scripts_of_a_page(tmp_path):
    page = '<p id="answer">?</p><script>document.getElementById("answer").textContent = 6 * 7</script>'
    (tmp_path / "page.html").write_text(page)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=tmp_path)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        dom = rendered(f"http://127.0.0.1:{server.server_port}/page.html")
        server.shutdown()
    assert '<p id="answer">42</p>' in dom
