"""What the tests of records have in common: an example, and records of random deals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

import variant_engine as ve
from tests.strategies import random_deal, random_end, random_ruleset
from variant_engine.notation import Move
from variant_engine.record import About, Lookup, Record, Replayed, check, deal_record, read, record_of
from variant_engine.ruleset import Ruleset

PACK = "CK HK DQ HJ SJ HQ D9 CJ CA H9 DT SA DK DJ SK CT DA HT ST SQ HA S9 C9 CQ"
PLAY = """\
1. A CA HJ
2. A ^D9 +40D DQ DT
3. B HQ CJ
4. B SJ DJ
5. A | DK HA
6. A 66
*
[Points "A 72 B 18"] [Result "A 2"] [Reason "claim"]
"""


@cache
def foster() -> Ruleset:
    return ve.load("foster")


def hash_of(**changes: str | int) -> str:
    return foster().replace(**changes).hash if changes else foster().hash


def example(
    play: str = PLAY, *, before: str = "", cards: str = f'[Pack "{PACK}"]', diff: str = "", digest: str = ""
) -> str:
    """The example of the documentation, with parts of it changed; ``before`` are more tags."""
    digest = digest or hash_of()
    return (
        '% P66 1.0\n[Event "Example"] [Date "2026.11.29"]\n[A "Anna"] [B "Tibor"] [Score "4-4"] [Carry "0"]\n'
        f'[Ruleset "foster"] [RulesHash "{digest}"] [RulesDiff "{diff}"]\n[Dealer "B"] {cards}\n{before}'
        f'[Play "A"]\n{play}'
    )


def changed_rules(play: str = PLAY, *, before: str = "", **changes: str | int) -> str:
    """The example under changed rules."""
    diff = " ".join(f"{name}={value}" for name, value in changes.items())
    return example(play, before=before, diff=diff, digest=hash_of(**changes))


def replayed(text: str, rules: Ruleset | None = None) -> Replayed:
    """The only deal of a record, played again."""
    (played,) = check(read(text, "x.p66"), Lookup(rules))
    return played


def codes(text: str, rules: Ruleset | None = None) -> list[str]:
    """The codes of all that is wrong with a record's only deal, warnings among them."""
    return [found.code for found in replayed(text, rules).problems]


def random_play(rng: Random, rules: Ruleset | None = None) -> tuple[ve.Deal, list[Move]]:
    """A deal by any rules (as changes of foster's), and random moves to its end."""
    if rules is None:
        rules = foster().replace(**random_ruleset(rng).values)
    start = random_deal(rules, rng)
    end = random_end(start, rng, foolish=0.1, out_of_turn=0.3)
    return start, [move for _, move in end.history]


def random_record(rng: Random, *, cut: bool = False, about: About | None = None) -> tuple[Record, Sequence[ve.Deal]]:
    """A record of one or two random deals, and the deals' ends; with ``cut`` the last is left unfinished."""
    records, ends = [], []
    deals = rng.choice((1, 1, 2))
    for place in range(deals):
        start, moves = random_play(rng)
        if cut and place == deals - 1:
            moves = moves[: rng.randrange(len(moves))]
        end = start
        for move in moves:
            end = end.play(move)
        records.append(deal_record(start, moves, about))
        ends.append(end)
    return record_of(records), ends
