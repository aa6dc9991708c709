"""`python -m studium` is the `studium` command."""

from studium.cli import main

main()
