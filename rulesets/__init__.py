"""The rulesets that ship: one YAML file each, its worked cases beside it."""
