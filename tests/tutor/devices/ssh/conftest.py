"""A real SSH server on loopback with a small router console behind it."""

import asyncio
import threading
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

MODES = {"conf t": "R1(config)#", "int g0/0": "R1(config-if)#", "end": "R1#", "enable": "Password: ", "disable": "R1>"}
ANSWERS = {
    "show clock": "*12:00:01.003 UTC Mon Nov 16 2026",
    "show tech": "\r\n".join(f"line {number} of # many >" for number in range(20_000)),
    "shw clock": "    ^\r\n% Invalid input detected at '^' marker.\r\n",
    "show colours": "\x1b[1mbold\x1b[0m",
}


async def console(process):
    prompt = "R1#"
    process.stdout.write("\r\nWelcome to the lab, #1 of all!\r\n" + prompt)
    async for line in process.stdin:
        command = line.strip()
        if command == "reload":
            break
        if command == "wait":
            await asyncio.sleep(1.5)
        if prompt == "Password: ":
            process.stdout.write("\r\n")
            prompt = "R1#" if command == "secret" else "R1>"
        else:
            prompt = MODES.get(command, prompt)
        if command in ANSWERS:
            process.stdout.write(ANSWERS[command] + "\r\n")
        process.channel.set_echo(prompt != "Password: ")
        process.stdout.write(prompt)
    process.exit(0)


@dataclass
class Door:
    """Where the server listens, and what opens it."""

    port: int
    known_hosts: Path
    key: Path


@pytest.fixture
def doors(tmp_path):
    """Opens servers with a console behind each; they listen until the test ends."""
    with ExitStack() as after:

        def listen(behind, **options):
            return after.enter_context(listening(tmp_path, behind, options))

        yield listen


@pytest.fixture
def door(doors):
    """A server with the small console behind it."""
    return doors(console)


def login_class():
    """How the server lets students in; asyncssh takes a second to import, so only the tests that use it do."""
    import asyncssh

    class Login(asyncssh.SSHServer):
        def __init__(self, key, connections):
            self.key = key
            self.connections = connections

        def connection_made(self, conn):
            self.connections.append(conn)

        def begin_auth(self, username):
            return bool(username)

        def password_auth_supported(self):
            return True

        def validate_password(self, username, password):
            return (username, password) == ("student", "lab")

        def public_key_auth_supported(self):
            return True

        def validate_public_key(self, username, key):
            return username == "student" and key.export_public_key() == self.key.export_public_key()

    return Login


@contextmanager
def listening(folder, behind, options):
    import asyncssh

    login = login_class()
    host_key, user_key = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))
    started, loop = Future(), asyncio.new_event_loop()
    connections = []
    given = {"server_host_keys": [host_key], "process_factory": behind, **options}

    def serve():
        asyncio.set_event_loop(loop)
        server = asyncssh.create_server(lambda: login(user_key, connections), "127.0.0.1", 0, **given)
        started.set_result(loop.run_until_complete(server))
        loop.run_forever()

    thread = threading.Thread(target=serve)
    thread.start()
    server = started.result(10)
    port = server.sockets[0].getsockname()[1]
    known_hosts, key = folder / "known_hosts", folder / "key"
    known_hosts.write_text(f"[127.0.0.1]:{port} {host_key.export_public_key().decode()}")
    key.write_bytes(user_key.export_private_key("openssh"))
    key.chmod(0o600)
    yield Door(port, known_hosts, key)
    asyncio.run_coroutine_threadsafe(_hang_up(server, connections), loop).result(10)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)
    loop.close()


async def _hang_up(server, connections):
    server.close()
    for connection in connections:
        connection.abort()
    await asyncio.gather(*(connection.wait_closed() for connection in connections), return_exceptions=True)
    await server.wait_closed()
    consoles = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in consoles:
        task.cancel()
    await asyncio.gather(*consoles, return_exceptions=True)
