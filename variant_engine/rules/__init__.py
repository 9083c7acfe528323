"""The rules, one module a chapter. Each rule is written here once.

A rule that restricts cards returns the mask of cards it leaves; a rule about any other move returns the set of reasons
that bar it, empty when it is allowed. ``engine`` asks the same functions whether it lists the legal moves, checks one,
or explains a refusal.
"""
