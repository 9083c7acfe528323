"""What the tags of a deal say: their values read and checked, each problem with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from difflib import get_close_matches

from ..diagnostics import WARNING, Diagnostic, Place
from ..evidence import Spot
from ..hints import quoted
from ..notation import SEATS, NotationError, from_german, read_card
from ..ruleset import Ruleset, RulesetError, read_value
from ..standing import RESULT_REASONS
from .model import RESULT_TAGS, DealRecord, Tag

#: Every tag that means something here, with what it says.
KNOWN_TAGS: Mapping[str, str] = {
    "Event": "what was played for: a tournament, an evening",
    "Site": "where it was played",
    "Date": "when it was played: YYYY.MM.DD, ?? for what is not known",
    "Game": "a name for the game that the deal belongs to; deals of one game follow from each other",
    "A": "who sits at A", "B": "who sits at B", "C": "who sits at C", "D": "who sits at D",
    "Score": "game points before the deal: A-B",
    "Carry": "game points carried into the deal",
    "Ruleset": "the id of the ruleset",
    "RulesHash": "the hash of the rules in force",
    "RulesDiff": "options that depart from the ruleset, as option=value",
    "Cards": "the language of the cards in this deal: fr (usual) or de",
    "Dealer": "the seat that dealt",
    "Pack": "the pack, top card first",
    "Hands": "the hands after the deal, A: … B: …, where the pack is not known",
    "TurnUp": "the turn-up",
    "Talon": "the face-down cards of the talon, top first, without the turn-up",
    "TurnUpAt": "where in the talon forehand drew the turn-up, from 1 at the top",
    "Bots": "the seats that a program played, and which: B greedy",
    "Seed": "seed and number of the deal, from which the pack and the bots' choices follow",
    "Commit": "what was committed to before the first card",
    "Salt": "opens the commitment",
    "Play": "the seat that leads first; the lines of play follow",
    "Points": "card points that each seat has counted",
    "Result": "the winner and the game points scored",
    "Reason": "why the deal ended",
}  # fmt: skip

#: Tags that other notations have, which nobody has misspelt.
_FOREIGN = frozenset(("Annotator", "Board", "Mode", "Room", "Round", "Scoring", "Section", "Stage", "Table", "Time"))

_SCORE = re.compile(r"([0-9]{1,4})-([0-9]{1,4})")
_NUMBER = re.compile(r"[0-9]{1,4}")
_DATE = re.compile(r"([0-9]{4}|\?{4})\.([0-9]{2}|\?\?)\.([0-9]{2}|\?\?)")
_HASH = re.compile(r"sha256:[0-9a-f]{64}")
#: Rules made from others (a cut-down pack) have capitals in their names, files have not.
RULESET_ID = re.compile(r"[a-z][A-Za-z0-9-]*")
#: What examples write for a hash: it stands for any.
PLACEHOLDERS = ("sha256:…", "sha256:...")
_SEED = re.compile(r"(-?[0-9]{1,60})/([0-9]{1,9})")
_SALT = re.compile(r"[0-9a-f]{32,128}")


@dataclass(slots=True)
class Said:
    """What the tags of one deal say, and what is wrong with them. Absent or unreadable values keep their defaults."""

    deal: DealRecord
    problems: list[Diagnostic] = field(default_factory=list)
    ruleset: str = ""
    hash: str = ""
    diff: dict[str, str] = field(default_factory=dict)
    dealer: int | None = None
    score: tuple[int, ...] = (0, 0)
    carry: int = 0
    pack: tuple[str, ...] | None = None
    hands: dict[int, tuple[str, ...]] | None = None
    turn_up: str | None = None
    talon: tuple[str, ...] | None = None
    turn_up_at: int = 0
    leader: int | None = None
    german: bool = False
    bots: dict[int, str] = field(default_factory=dict)
    seed: tuple[int, int] | None = None
    commit: str = ""
    salt: str = ""
    counts: tuple[int, ...] | None = None
    result: tuple[int | None, int] | None = None
    reason: str | None = None

    def refuse(self, code: str, message: str, tag: Tag | None, help_text: str = "", part: str | None = None) -> None:
        """Note a problem: with a tag's value (or the part of it given), or with the deal as a whole."""
        place = value_place(tag, part) if tag is not None else self.deal.place or Place.whole("record")
        self.problems.append(Diagnostic(code, message, place, help_text))

    def warn(self, code: str, message: str, tag: Tag, help_text: str = "") -> None:
        """Note something that does no harm."""
        self.problems.append(Diagnostic(code, message, value_place(tag), help_text, severity=WARNING))


def value_place(tag: Tag, part: str | None = None) -> Place:
    """The place of a tag's value, or of a part of it."""
    place = tag.place
    if place is None:
        return Place.whole("record")
    start = tag.text.index('"') + 1
    end = tag.text.rindex('"')
    found = tag.text.find(part, start, end) if part else -1
    if part and found >= 0:
        start, end = found, found + len(part)
    column = place.spot.column + start
    return Place(replace_column(place.spot, column), column + max(end - start, 1), place.text)


def replace_column(spot: Spot, column: int) -> Spot:
    """The spot at another column of its line."""
    return replace(spot, column=column)


class _Bad(Exception):
    """A value that cannot be read; ``part`` is what is wrong in it."""

    def __init__(self, message: str, help_text: str = "", part: str | None = None) -> None:
        super().__init__(message)
        self.help = help_text
        self.part = part


def read_tags(deal: DealRecord, seats: int = 2) -> Said:
    """What the tags of a deal say, read as far as they can be."""
    said = Said(deal, score=(0,) * seats)
    _names(said, seats)
    said.german = deal.get("Cards") == "de"
    for tag in (*deal.tags, *deal.results):
        reader = _READERS.get(tag.name)
        if reader is None or tag is not deal.tag(tag.name):
            continue
        try:
            reader(said, tag.value, seats)
        except _Bad as error:
            said.refuse("P713", f"'{tag.name}': {error}", tag, error.help, error.part)
        except NotationError as error:
            said.refuse("P713", f"'{tag.name}': {error}", tag)
    _needed(said)
    return said


def _names(said: Said, seats: int) -> None:
    seen: set[str] = set()
    for tag in (*said.deal.tags, *said.deal.results):
        if tag.name in seen:
            said.refuse("P710", f"the tag '{tag.name}' is there twice", tag, "a deal has each tag once")
        seen.add(tag.name)
        if tag.name in SEATS[seats:]:
            said.refuse("P711", f"there is no seat {tag.name}", tag, f"the seats are {' and '.join(SEATS[:seats])}")
        if tag.name in KNOWN_TAGS or tag.name in _FOREIGN:
            continue
        # A misspelt tag would silently change what is read; a strange one is somebody's own business.
        lower = {name.lower(): name for name in KNOWN_TAGS}
        close = get_close_matches(tag.name.lower(), list(lower), n=1, cutoff=0.75)
        if close:
            meant = lower[close[0]]
            said.refuse("P711", f"there is no tag '{tag.name}'", tag, f"did you mean '{meant}'? {KNOWN_TAGS[meant]}")
    for tag in said.deal.tags:
        if tag.name in (*RESULT_TAGS, "Salt"):
            said.refuse("P744", f"'{tag.name}' stands after the '*' that ends a deal", tag, "move it there")


def _needed(said: Said) -> None:
    deal = said.deal
    wanted = [("Ruleset", "the id of the ruleset, as in [Ruleset \"foster\"]"),
              ("RulesHash", "the hash of the rules, as 'sixtysix show' prints it"),
              ("Dealer", "the seat that dealt, as in [Dealer \"B\"]")]  # fmt: skip
    for name, help_text in wanted:
        if deal.tag(name) is None:
            said.refuse("P712", f"the deal has no '{name}' tag", None, help_text)
    if deal.tag("Pack") is None and deal.tag("Commit") is None:
        missing = [name for name in ("Hands", "TurnUp", "Talon") if deal.tag(name) is None]
        if len(missing) == 3:
            said.refuse("P712", "the deal has no 'Pack' tag", None, "or give 'Hands', 'TurnUp' and 'Talon' instead")
        elif missing:
            said.refuse(
                "P712",
                f"the deal has neither 'Pack' nor '{missing[0]}'",
                None,
                "without a pack all of 'Hands', 'TurnUp' and 'Talon' are needed",
            )
    if said.commit and said.deal.finished and said.deal.tag("Pack") is not None and said.deal.tag("Salt") is None:
        said.refuse(
            "P712",
            "the deal was committed to, and no 'Salt' opens the commitment",
            None,
            "the program writes Pack, Seed and Salt after the '*'",
        )
    if deal.tag("Play") is None and (deal.lines or deal.finished):
        said.refuse(
            "P712",
            "the deal has no 'Play' tag in front of its play",
            None,
            'the seat that leads first, as in [Play "A"]',
        )
    elif deal.tag("Play") is not None and deal.tags[-1].name != "Play":
        said.refuse("P715", "'Play' must be the last tag before the play", deal.tag("Play"))


# ---- one tag each -------------------------------------------------------------------------------------------------


def _seat(text: str, seats: int, part: str | None = None) -> int:
    if len(text) == 1 and text in SEATS[:seats]:
        return SEATS.index(text)
    raise _Bad(f"{quoted(text)} is no seat", f"write {' or '.join(SEATS[:seats])}", part)


def card_of(text: str, german: bool) -> str:
    """The French name of a card as written. Raises :class:`NotationError`."""
    name = from_german(text) if german else text
    read_card(name)
    return name


def _cards(said: Said, text: str) -> tuple[str, ...]:
    cards = []
    for word in text.split():
        try:
            cards.append(card_of(word, said.german))
        except NotationError as error:
            raise _Bad(str(error), part=word) from None
    return tuple(cards)


def _read_date(said: Said, value: str, seats: int) -> None:
    match = _DATE.fullmatch(value)
    help_text = "write year, month and day: 2026.11.29; ?? for what is not known"
    if match is None:
        raise _Bad(f"{quoted(value)} is no date", help_text)
    try:
        # A leap year stands for one that is not known.
        date(
            *(int(part) if part.isdigit() else known for part, known in zip(match.groups(), (2000, 1, 1), strict=True))
        )
    except ValueError:
        raise _Bad(f"there is no such day as {quoted(value)}", help_text) from None


def _read_score(said: Said, value: str, seats: int) -> None:
    match = _SCORE.fullmatch(value)
    if match is None:
        raise _Bad(f"{quoted(value)} is no score", "write the game points of both before the deal: 4-3")
    said.score = (int(match[1]), int(match[2]))


def _read_carry(said: Said, value: str, seats: int) -> None:
    if not _NUMBER.fullmatch(value):
        raise _Bad(f"{quoted(value)} is no number of game points", "write 0 where nothing is carried")
    said.carry = int(value)


def _read_ruleset(said: Said, value: str, seats: int) -> None:
    if len(value) > 100 or not RULESET_ID.fullmatch(value):
        raise _Bad(f"{quoted(value)} is no id of a ruleset", "write the id alone, as 'sixtysix list' shows it")
    said.ruleset = value


def _read_hash(said: Said, value: str, seats: int) -> None:
    if not _HASH.fullmatch(value) and value not in PLACEHOLDERS:
        raise _Bad("this is no hash of rules", "it is 'sha256:' and 64 digits from 0 to f")
    said.hash = value


def _read_diff(said: Said, value: str, seats: int) -> None:
    for part in re.split(r"[\s,]+", value.strip()):
        if not part:
            continue
        name, equals, text = part.partition("=")
        if not equals:
            raise _Bad(f"{quoted(part)} is no change of an option", "write option=value, with spaces between", part)
        if name in said.diff:
            raise _Bad(f"the option {quoted(name)} is changed twice", part=part)
        try:
            read_value(name, text)
        except RulesetError as error:
            raise _Bad(str(error).split("\n", 1)[0], part=part) from None
        said.diff[name] = text


def _read_dealer(said: Said, value: str, seats: int) -> None:
    said.dealer = _seat(value, seats)


def _read_play(said: Said, value: str, seats: int) -> None:
    said.leader = _seat(value, seats)


def _read_cards_language(said: Said, value: str, seats: int) -> None:
    if value not in ("fr", "de"):
        raise _Bad(f"{quoted(value)} is no language of cards", "write fr or de")


def _read_pack(said: Said, value: str, seats: int) -> None:
    said.pack = _cards(said, value)


def _read_hands(said: Said, value: str, seats: int) -> None:
    hands: dict[int, tuple[str, ...]] = {}
    parts = re.split(r"([^\s:]+):", value)
    if len(parts) < 3 or parts[0].strip():
        raise _Bad("this does not say whose cards they are", "write A: HQ … B: CA …")
    for letter, cards in zip(parts[1::2], parts[2::2], strict=True):
        seat = _seat(letter, seats, f"{letter}:")
        if seat in hands:
            raise _Bad(f"the hand of {letter} is there twice", part=f"{letter}:")
        hands[seat] = _cards(said, cards)
    if len(hands) != seats:
        raise _Bad("a hand is missing", f"give the hands of {' and '.join(SEATS[:seats])}")
    said.hands = hands


def _read_turn_up(said: Said, value: str, seats: int) -> None:
    said.turn_up = card_of(value, said.german)


def _read_talon(said: Said, value: str, seats: int) -> None:
    said.talon = _cards(said, value)


def _read_turn_up_at(said: Said, value: str, seats: int) -> None:
    if not _NUMBER.fullmatch(value) or int(value) == 0:
        raise _Bad(f"{quoted(value)} is no place in the talon", "count from 1 at the top")
    said.turn_up_at = int(value)


def _read_bots(said: Said, value: str, seats: int) -> None:
    words = value.split()
    if len(words) % 2:
        raise _Bad("each seat needs the name of a bot", "write B greedy")
    for letter, bot in zip(words[::2], words[1::2], strict=True):
        seat = _seat(letter, seats, letter)
        if seat in said.bots:
            raise _Bad(f"seat {letter} is there twice")
        said.bots[seat] = bot


def _read_seed(said: Said, value: str, seats: int) -> None:
    match = _SEED.fullmatch(value)
    if match is None:
        raise _Bad(f"{quoted(value)} is no seed", "write the seed and the number of the deal: 7/0")
    said.seed = (int(match[1]), int(match[2]))


def _read_commit(said: Said, value: str, seats: int) -> None:
    if not _HASH.fullmatch(value):
        raise _Bad("this is no commitment", "it is 'sha256:' and 64 digits from 0 to f")
    said.commit = value


def _read_salt(said: Said, value: str, seats: int) -> None:
    if not _SALT.fullmatch(value):
        raise _Bad("this is no salt", "it is 32 to 128 digits from 0 to f")
    said.salt = value


def _read_counts(said: Said, value: str, seats: int) -> None:
    words = value.split()
    counts: dict[int, int] = {}
    for letter, number in zip(words[::2], words[1::2], strict=False):
        if not _NUMBER.fullmatch(number):
            raise _Bad(f"{quoted(number)} is no number of card points", part=number)
        counts[_seat(letter, seats, letter)] = int(number)
    if len(words) != 2 * seats or len(counts) != seats:
        raise _Bad("this does not give each seat's card points", "write A 72 B 18")
    said.counts = tuple(counts[seat] for seat in range(seats))


def _read_result(said: Said, value: str, seats: int) -> None:
    words = value.split()
    if words == ["none"] or words == ["none", "0"]:
        said.result = (None, 0)
        return
    if len(words) != 2 or not _NUMBER.fullmatch(words[1]):
        raise _Bad(f"{quoted(value)} is no result", "write the winner and the game points, as in A 2; or none 0")
    said.result = (_seat(words[0], seats, words[0]), int(words[1]))


def _read_reason(said: Said, value: str, seats: int) -> None:
    if value not in RESULT_REASONS:
        raise _Bad(f"{quoted(value)} is no reason why a deal ends", f"write one of {', '.join(RESULT_REASONS)}")
    said.reason = value


_READERS: Mapping[str, Callable[[Said, str, int], None]] = {
    "Date": _read_date, "Score": _read_score, "Carry": _read_carry, "Ruleset": _read_ruleset, "RulesHash": _read_hash,
    "RulesDiff": _read_diff, "Cards": _read_cards_language, "Dealer": _read_dealer, "Pack": _read_pack,
    "Hands": _read_hands, "TurnUp": _read_turn_up, "Talon": _read_talon, "TurnUpAt": _read_turn_up_at,
    "Bots": _read_bots, "Seed": _read_seed, "Commit": _read_commit, "Salt": _read_salt, "Play": _read_play,
    "Points": _read_counts, "Result": _read_result, "Reason": _read_reason,
}  # fmt: skip


def changed(rules: Ruleset, diff: Mapping[str, str]) -> Ruleset:
    """The ruleset with the changes of a record. Raises :class:`RulesetError`."""
    return rules.replace(**{name: read_value(name, text) for name, text in diff.items()}) if diff else rules


def diff_text(rules: Ruleset) -> str:
    """The changes made to a ruleset, as the tag ``RulesDiff`` gives them."""
    return " ".join(f"{name}={value}" for name, value in rules.diff)
