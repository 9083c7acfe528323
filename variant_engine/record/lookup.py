"""Finding the rules that a record was played by, and seeing that they are still the same."""

from __future__ import annotations

from pathlib import Path

from ..diagnostics import WARNING, Diagnostic, Note, RuleFileError
from ..loading import load
from ..ruleset import Ruleset, RulesetError
from .tags import Said, changed, value_place


class Lookup:
    """Where the rules of records come from: a ruleset given for all, a folder beside the record, or those that ship.

    With ``anyway``, a deal whose rules have another hash than its record says is read all the same, with a warning.
    """

    def __init__(self, rules: Ruleset | None = None, folder: Path | None = None, *, anyway: bool = False) -> None:
        self.rules = rules
        self.folder = folder
        self.anyway = anyway
        self._found: dict[tuple[str, tuple[tuple[str, str], ...]], list[Ruleset | RulesetError | RuleFileError]] = {}

    def rules_for(self, said: Said) -> Ruleset | None:
        """The rules of a deal, changes included; what is wrong with them is noted with the deal."""
        tag = said.deal.tag("Ruleset")
        if tag is None or not said.ruleset or not said.hash:
            return None
        candidates = self._candidates(said)
        found = [one for one in candidates if isinstance(one, Ruleset)]
        same = next((rules for rules in found if rules.hash == said.hash), None)
        if same is not None:
            return same
        if not found:
            first = candidates[0]
            if isinstance(first, RuleFileError):
                problem = first.diagnostics[0]
                help_text = problem.help or "name a file with the rules"
                said.refuse("P720", f"the rules cannot be read: {problem.message}", tag, help_text)
            else:
                said.refuse("P722", f"'RulesDiff': {first}", said.deal.tag("RulesDiff") or tag)
            return None
        hash_tag = said.deal.tag("RulesHash")
        assert hash_tag is not None
        rules = found[0]
        notes = (Note(f"the rules of '{rules.id}' as they are now have {rules.hash}"),)
        message = f"the deal was played by other rules than '{rules.id}' has now"
        if self.anyway:
            said.problems.append(Diagnostic("P721", message, value_place(hash_tag), "", notes, WARNING))
            return rules
        help_text = "the moves may mean something else now; say --anyway to go on all the same"
        said.problems.append(Diagnostic("P721", message, value_place(hash_tag), help_text, notes))
        return None

    def _candidates(self, said: Said) -> list[Ruleset | RulesetError | RuleFileError]:
        key = (said.ruleset, tuple(said.diff.items()))
        if key not in self._found:
            self._found[key] = [self._with_changes(one, said) for one in self._loaded(said.ruleset)]
        return self._found[key]

    def _with_changes(self, one: Ruleset | RuleFileError, said: Said) -> Ruleset | RulesetError | RuleFileError:
        if isinstance(one, RuleFileError):
            return one
        try:
            return changed(one, said.diff)
        except RulesetError as error:
            return error

    def _loaded(self, name: str) -> list[Ruleset | RuleFileError]:
        if self.rules is not None:
            return [self.rules]
        sources: list[str | Path] = [name]
        if self.folder is not None and (self.folder / f"{name}.yaml").is_file():
            sources.insert(0, self.folder / f"{name}.yaml")
        loaded: list[Ruleset | RuleFileError] = []
        for source in sources:
            try:
                loaded.append(load(source))
            except RuleFileError as error:
                loaded.append(error)
        return loaded
