"""Provable deals: a commitment to all that decides a deal before its first card, opened after the last, and checked.

The scheme is described in ``docs/provable-deals.md``. What is committed to is the text that :func:`commit_text` gives;
the record holds its SHA-256.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise

from ..notation import SEATS, Move
from ..options.ending import TARGET_GAME_POINTS
from ..players import PLAYERS, Player, Rng
from ..ruleset import Ruleset
from ..shuffle import player_stream
from ..table import Deal, deal, is_claim
from .build import bots_text
from .model import writable
from .replay import Replayed, Step
from .tags import Said

COMMIT_VERSION = "p66-commit-2"


@dataclass(frozen=True, slots=True)
class Secret:
    """What a deal is bound to before its first card.

    Salt, seed and pack are kept from everybody until the deal is over; ``number`` counts the deals of the game from 0.
    The other fields stand in the record from the start: ``bots`` as the tag ``Bots`` gives them, ``rules`` the hash of
    the rules, ``game`` the game's name.
    """

    salt: str
    seed: int
    number: int
    pack: tuple[str, ...]
    dealer: int
    rules: str
    game: str = ""
    bots: str = ""

    @property
    def commitment(self) -> str:
        """What the record holds before the first card."""
        return "sha256:" + sha256(commit_text(self).encode("utf-8")).hexdigest()

    @property
    def opened(self) -> dict[str, str]:
        """The tags that open the commitment."""
        return {"Pack": " ".join(self.pack), "Seed": f"{self.seed}/{self.number}", "Salt": self.salt}

    def differing(self, dealer: int | None, rules: str, game: str, bots: str) -> str:
        """The first of the tags with these values that says something else; empty if none does."""
        pairs = (
            ("Dealer", dealer, self.dealer),
            ("RulesHash", rules, self.rules),
            ("Game", game, self.game),
            ("Bots", bots, self.bots),
        )
        return next((name for name, said, bound in pairs if said != bound), "")


def commit_text(secret: Secret) -> str:
    """The text of which the commitment is the hash: eight lines, without a line feed at the end."""
    lines = (
        COMMIT_VERSION,
        f"salt={secret.salt}",
        f"seed={secret.seed}/{secret.number}",
        f"pack={' '.join(secret.pack)}",
        f"dealer={SEATS[secret.dealer]}",
        f"bots={secret.bots}",
        f"rules={secret.rules}",
        f"game={secret.game}",
    )
    return "\n".join(lines)


def new_secret(
    rules: Ruleset, *, dealer: int = 1, number: int = 0, game: str = "", bots: Mapping[int, str] | None = None
) -> Secret:
    """A secret for one deal under these rules: a seed and a salt from the system's randomness, and the seed's pack.

    Every deal has a seed of its own, since opening one tells all that follows from it.
    """
    seed = secrets.randbits(128)
    pack = deal(rules, seed=seed, number=number).pack
    return Secret(
        secrets.token_hex(32), seed, number, pack, dealer, rules.hash, writable(game), writable(bots_text(bots or {}))
    )


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
        # What has not been opened yet, or is by rules that are not here, may well hold.
        holds = None if is_closed(played) or lacks_rules(played) else False
        return (Finding("record", holds, wrong.message if wrong else "the deal cannot be played"),)
    if not played.record.finished:
        return (Finding("record", None, "the deal is not over yet"),)
    assert played.rules is not None
    found = [Finding("record", True, f"{len(played.steps)} moves and the result keep to the rules")]
    if played.rules.hash != said.hash:
        found = [Finding("record", None, "it was read by other rules than the record says")]
    found.append(_commitment(played))
    if said.seed is None:
        found.append(Finding("shuffle", None, "the record tells no seed"))
    else:
        found.append(_shuffle(played, said.seed))
    if not said.bots:
        # Without a commitment, the tag may as well have been taken out.
        who = "none played" if found[1].holds else "the record names none"
        found.append(Finding("bots", found[1].holds, f"{who}; no bots' moves were checked"))
    found += [_bot(played, seat, name) for seat, name in sorted(said.bots.items())]
    return tuple(found)


def is_closed(played: Replayed) -> bool:
    """Whether all that stands in the way is that a committed deal has not been opened yet."""
    return not played.record.finished and [found.code for found in played.problems if found.is_error] == ["P716"]


def lacks_rules(played: Replayed) -> bool:
    """Whether the rules of a deal are nowhere to be found, or only others of their name."""
    return played.rules is None and any(found.is_error and found.code in ("P720", "P721") for found in played.problems)


def proved(found: Sequence[Finding]) -> bool:
    """Whether a deal is proved fair: all that there is to check was checked, and holds."""
    return all(one.holds for one in found)


@dataclass(frozen=True, slots=True)
class GameDeals:
    """The deals of one game in a file, numbered from 1 in the file, and what is missing of the game, in sentences."""

    game: str
    deals: tuple[int, ...]
    missing: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether the game is there from its first deal to its last."""
        return not self.missing


def games_of(deals: Sequence[Replayed]) -> tuple[GameDeals, ...]:
    """The games in a file, and whether all their deals are there: a lost deal may have been left out on purpose."""
    runs: list[list[int]] = []
    for place, played in enumerate(deals):
        game = played.record.get("Game")
        if runs and game and game == deals[runs[-1][0]].record.get("Game"):
            runs[-1].append(place)
        else:
            runs.append([place])
    return tuple(
        GameDeals(
            deals[run[0]].record.get("Game"),
            tuple(place + 1 for place in run),
            tuple(_missing([deals[place] for place in run])),
        )
        for run in runs
    )


def _missing(deals: Sequence[Replayed]) -> list[str]:
    first, last = deals[0], deals[-1]
    if not first.record.get("Game"):
        return ["the record does not say to which game the deal belongs"]
    missing = []
    if first.said.seed is not None and first.said.seed[1]:
        missing.append(f"its beginning: the first deal here is deal {first.said.seed[1] + 1} of the game")
    elif any(first.said.score) or first.said.carry:
        carried = f", {first.said.carry} carried" if first.said.carry else ""
        missing.append(f"its beginning: the first deal here begins at {_score(first.said.score)}{carried}")
    for before, now in pairwise(deals):
        numbers = [said.seed[1] for said in (before.said, now.said) if said.seed is not None]
        if len(numbers) == 2 and numbers[1] != numbers[0] + 1:
            missing.append(f"what was dealt between deal {numbers[0] + 1} and deal {numbers[1] + 1} of the game")
    end = last.score_after if last.ok and last.record.finished else None
    if end is None:
        missing.append(f"its end: the last deal here {'does not hold' if last.record.finished else 'is not over'}")
    elif last.rules is not None and max(end) < last.rules.ints[TARGET_GAME_POINTS]:
        target = last.rules.ints[TARGET_GAME_POINTS]
        missing.append(f"its end: it goes to {target} game points, and the last deal here leaves it at {_score(end)}")
    return missing


def _score(score: Sequence[int]) -> str:
    return "-".join(map(str, score))


def _bound(said: Said) -> Secret | None:
    """What the tags of a deal say that it was bound to; None if they have not been opened."""
    if not said.salt or said.seed is None or said.pack is None or said.dealer is None:
        return None
    game, bots = said.deal.get("Game"), bots_text(said.bots)
    return Secret(said.salt, *said.seed, said.pack, said.dealer, said.hash, game, bots)


def _commitment(played: Replayed) -> Finding:
    said = played.said
    if not said.commit:
        return Finding("commitment", None, "the deal was not committed to before it was played")
    bound = _bound(said)
    if bound is None:
        return Finding("commitment", None, "the commitment has not been opened yet")
    what = "pack, seed, salt, dealer, bots, rules, game and number of the deal"
    if bound.commitment != said.commit:
        return Finding("commitment", False, f"{what} are not those that were committed to")
    return Finding("commitment", True, f"{what} are those that were committed to before the first card")


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
    assert played.start is not None
    start = played.start
    if seat == start.leader and start.pack and start.rules["turn_up"] == "drawn_by_forehand":
        # A bot that draws the turn-up draws the card in the middle.
        middle = deal(start.rules, pack=start.pack, dealer=start.dealer).turn_up
        if start.turn_up != middle:
            return Finding(what, False, f"'{name}' would have drawn {middle} for the turn-up, from the middle")
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
