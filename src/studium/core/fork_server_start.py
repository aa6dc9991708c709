"""Runs once in the fork server, which imports it before everything else: it dies with the server that started it."""

import os

from studium.core.fork_server import die_with_parent

PID = os.getpid()
die_with_parent()
