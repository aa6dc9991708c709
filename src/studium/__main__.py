"""`python -m studium` is the `studium` command."""

from studium.cli.app import main

main()
