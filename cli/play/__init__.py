"""Playing at the terminal: ``sixtysix play``. :mod:`.command` is the command, :mod:`.session` the game it runs."""
