"""Finding the rules that a record was played by, and seeing that they are still the same."""

from __future__ import annotations

from pathlib import Path

from ..diagnostics import WARNING, Diagnostic, Note, RuleFileError
from ..loading import load
from ..ruleset import Ruleset, RulesetError
from .copies import copies
from .tags import PLACEHOLDERS, Said, changed, value_place

_NAME_THEM = "say where they are with --rules FILE"


class Lookup:
    """Where the rules of records come from: a ruleset given for all, a folder beside the record, or those that ship.

    Where none of them has the hash that the record says, the copies in the folder ``kept`` are looked through. With
    ``anyway``, a deal whose rules have another hash than its record says is read all the same, with a warning.
    """

    def __init__(
        self,
        rules: Ruleset | None = None,
        folder: Path | None = None,
        *,
        kept: Path | None = None,
        anyway: bool = False,
    ) -> None:
        self.rules = rules
        self.folder = folder
        self.kept = kept
        self.anyway = anyway
        self._found: dict[tuple[str, tuple[tuple[str, str], ...]], list[Ruleset | RulesetError | RuleFileError]] = {}
        self._copies: dict[tuple[str, tuple[tuple[str, str], ...], str], tuple[Ruleset, str] | None] = {}
        #: Copies of which it has been said that they are read; once is enough for a record.
        self._told: set[str] = set()

    def rules_for(self, said: Said) -> Ruleset | None:
        """The rules of a deal, changes included; what is wrong with them is noted with the deal."""
        tag = said.deal.tag("Ruleset")
        hash_tag = said.deal.tag("RulesHash")
        if tag is None or hash_tag is None or not said.ruleset or not said.hash:
            return None
        candidates = self._candidates(said)
        found = [one for one in candidates if isinstance(one, Ruleset)]
        same = next((rules for rules in found if rules.hash == said.hash), None)
        if same is not None:
            return same
        copy = self._copy(said)
        if copy is not None:
            rules, other = copy
            other = found[0].file if found and (other or self.rules is not None) else other
            if other and said.hash not in self._told:
                self._told.add(said.hash)
                message = f"{other} has other rules now than this was played by; those are read from the copy kept here"
                said.problems.append(Diagnostic("P723", message, value_place(hash_tag), severity=WARNING))
            return rules
        if not found:
            first = candidates[0]
            if isinstance(first, RuleFileError):
                problem = first.diagnostics[0]
                meant = problem.help if problem.help.startswith("did you mean") else ""
                help_text = f"{meant} or {_NAME_THEM}" if meant else _NAME_THEM
                said.refuse("P720", f"the rules cannot be read: {problem.message}", tag, help_text)
            else:
                said.refuse("P722", f"'RulesDiff': {first}", said.deal.tag("RulesDiff") or tag)
            return None
        rules = found[0]
        notes = (Note(f"the rules of '{rules.id}' as they are now have {rules.hash}"),)
        message = f"the deal was played by other rules than '{rules.id}' has now"
        if said.hash in PLACEHOLDERS:
            message = "the record leaves the hash of its rules open: whether they are these cannot be told"
        if self.anyway:
            said.problems.append(Diagnostic("P721", message, value_place(hash_tag), "", notes, WARNING))
            return rules
        help_text = f"the moves may mean something else now; {_NAME_THEM}, or say --anyway to go on all the same"
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

    def _copy(self, said: Said) -> tuple[Ruleset, str] | None:
        """Exactly the rules that the record says, by a kept copy; and the file where they have become others."""
        if self.kept is None:
            return None
        key = (said.ruleset, tuple(said.diff.items()), said.hash)
        if key not in self._copies:
            self._copies[key] = None
            for copy in copies(self.kept, said.ruleset, said.hash):
                rules = self._with_changes(copy.rules, said)
                if not isinstance(rules, Ruleset) or rules.hash != said.hash:
                    continue
                # The file itself says more: who wrote what, and where.
                now = copy.now()
                there = self._with_changes(now, said) if now is not None else None
                if isinstance(there, Ruleset) and there.hash == said.hash:
                    self._copies[key] = (there, "")
                else:
                    named = [one for one in self._candidates(said) if isinstance(one, Ruleset)]
                    self._copies[key] = (rules, now.file if now is not None else named[0].file if named else "")
                break
        return self._copies[key]

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
