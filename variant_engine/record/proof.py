"""Provable deals: a commitment to pack and seed before the first card, opened after the last, and checked.

The scheme is described in ``docs/provable-deals.md``. What is committed to is the text ::

    p66-commit-1
    salt=…
    seed=…
    pack=…

(lines joined by single line feeds, none at the end, in ASCII), of which the record holds the SHA-256.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from ..notation import SEATS, Move
from ..players import PLAYERS, Player, Rng
from ..ruleset import Ruleset
from ..shuffle import player_stream
from ..table import Deal, deal, is_claim
from .replay import Replayed, Step

COMMIT_VERSION = "p66-commit-1"


@dataclass(frozen=True, slots=True)
class Secret:
    """What is kept from everybody until a deal is over: the salt, the seed and number of the deal, and its pack."""

    salt: str
    seed: int
    number: int
    pack: tuple[str, ...]

    @property
    def commitment(self) -> str:
        """What the record holds before the first card."""
        return commitment(self.salt, self.seed, self.number, self.pack)

    @property
    def opened(self) -> dict[str, str]:
        """The tags that open the commitment."""
        return {"Pack": " ".join(self.pack), "Seed": f"{self.seed}/{self.number}", "Salt": self.salt}


def commitment(salt: str, seed: int, number: int, pack: Sequence[str]) -> str:
    """The commitment to a seed and a pack, under a salt."""
    text = f"{COMMIT_VERSION}\nsalt={salt}\nseed={seed}/{number}\npack={' '.join(pack)}"
    return "sha256:" + sha256(text.encode("ascii")).hexdigest()


def new_secret(rules: Ruleset) -> Secret:
    """A secret for one deal under these rules: a seed and a salt from the system's randomness, and the seed's pack.

    Every deal has a seed of its own, since opening one tells all that follows from it.
    """
    seed = secrets.randbits(128)
    return Secret(secrets.token_hex(32), seed, 0, deal(rules, seed=seed).pack)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked: what, whether it holds (None: it could not be checked), and in words."""

    what: str
    holds: bool | None
    text: str


def verify(played: Replayed) -> tuple[Finding, ...]:
    """What can be proved of a deal: its moves and result, its commitment, its shuffle, and its bots' moves."""
    said = played.said
    if not played.ok or played.start is None:
        wrong = next((one for one in played.problems if one.is_error), None)
        return (Finding("record", False, wrong.message if wrong else "the deal cannot be played"),)
    found = [Finding("record", True, f"{len(played.steps)} moves and the result keep to the rules")]
    found.append(_commitment(played))
    if said.seed is None:
        found.append(Finding("shuffle", None, "the record tells no seed"))
    else:
        found.append(_shuffle(played, said.seed))
    found += [_bot(played, seat, name) for seat, name in sorted(said.bots.items())]
    return tuple(found)


def proved(found: Sequence[Finding]) -> bool:
    """Whether a deal is proved fair: all that there is to check was checked, and holds."""
    return all(one.holds for one in found)


def _commitment(played: Replayed) -> Finding:
    said = played.said
    if not said.commit:
        return Finding("commitment", None, "the deal was not committed to before it was played")
    if not said.salt or said.seed is None or said.pack is None:
        return Finding("commitment", None, "the commitment has not been opened yet")
    if commitment(said.salt, *said.seed, said.pack) != said.commit:
        return Finding("commitment", False, "pack, seed and salt are not those that were committed to")
    return Finding("commitment", True, "pack, seed and salt are those that were committed to before the first card")


def _shuffle(played: Replayed, seed: tuple[int, int]) -> Finding:
    assert played.start is not None
    assert played.rules is not None
    if not played.start.pack:
        return Finding("shuffle", None, "the record has no pack to compare with the seed")
    if deal(played.rules, seed=seed[0], number=seed[1]).pack != played.start.pack:
        return Finding("shuffle", False, "the pack does not follow from the seed")
    return Finding("shuffle", True, "the pack follows from the seed")


def _bot(played: Replayed, seat: int, name: str) -> Finding:
    """Whether every move of a seat is the one that its bot chooses, from what it sees and its own random stream."""
    what = f"bot {SEATS[seat]}"
    if name not in PLAYERS:
        return Finding(what, None, f"there is no bot called '{name}' here")
    if played.said.seed is None:
        return Finding(what, None, "without a seed the bot's random numbers are not known")
    stream = player_stream(*played.said.seed, seat)
    moves = 0
    steps = iter(enumerate(played.steps))
    for place, step in steps:
        before = step.before
        if step.seat != seat:
            # Others may act while the bot is to move; it is asked when they have.
            missed = None if before.to_move == seat or step.after.over else claim_of(before, seat)
            if missed is None:
                continue
            return Finding(what, False, f"trick {step.line}: at {step.move} '{name}' would have chosen {missed}")
        moves += 1
        chosen = PLAYERS[name](before.view(seat), stream) if before.to_move == seat else claim_of(before, seat)
        if chosen == step.move:
            continue
        following = played.steps[place + 1] if place + 1 < len(played.steps) else None
        if following is not None and chosen == following.move and _scores_itself(step, following):
            # A card that scored its marriage without a word is written with the announcement in front of it.
            next(steps)
            continue
        would = f"would have chosen {chosen}" if chosen is not None else "would not have been asked"
        return Finding(what, False, f"trick {step.line}: at {step.move} '{name}' {would}")
    return Finding(what, True, f"'{name}' chose all its {moves} moves from what it could see and its random stream")


def next_bot_move(deal: Deal, bots: Mapping[int, Player], streams: Mapping[int, Rng]) -> Move | None:
    """What bots do in a position, by seat: the one way in which they are asked wherever a deal is to be provable.

    A bot that is not to move claims the moment its claim is right and allowed, and is asked for nothing else. Then the
    bot to move is asked, also when it has but one move. None when the move is a person's.
    """
    for seat in sorted(bots):
        if seat != deal.to_move:
            claim = claim_of(deal, seat)
            if claim is not None:
                return claim
    seat_to_move = deal.to_move
    if seat_to_move is None or seat_to_move not in bots:
        return None
    return bots[seat_to_move](deal.view(seat_to_move), streams[seat_to_move])


def claim_of(deal: Deal, seat: int) -> Move | None:
    """The claim of a seat that is not to move, if it is right and allowed; it follows from what the seat sees."""
    view = deal.view(seat)
    if not view.claim_is_right(seat):
        return None
    return next((move for move in view.legal() if is_claim(move)), None)


def _scores_itself(announced: Step, led: Step) -> bool:
    """Whether two steps may have been one: a card that scored its marriage by itself."""
    before = announced.before
    if before.phase != "lead" or not announced.move.token.startswith("+") or led.move not in before.legal():
        return False
    return before.play(led.move).announced == led.after.announced
