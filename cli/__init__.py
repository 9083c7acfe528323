"""The command line ``sixtysix``: thin; every command prints text or ``--json`` from the same result object."""
