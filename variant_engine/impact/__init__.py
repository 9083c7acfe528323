"""How much a rule matters: the same deals under several rulesets."""
