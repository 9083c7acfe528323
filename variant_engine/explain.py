"""Sentences. Below this module there are only codes; here they become words with their places."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .cards import card_name
from .notation import SEATS as SEAT_LETTERS
from .notation import Move
from .options import BY_NAME
from .phases import PHASES, TALONS
from .reasons import Reason, reasons_in
from .state import LED, PHASE, TALON, TO_MOVE, State

if TYPE_CHECKING:
    from .ruleset import Ruleset

#: What each reason says about a move, before the option and its places are named.
_PHRASES: dict[str, str] = {
    "deal_over": "the deal is over",
    "not_your_turn": "it is {mover}'s turn",
    "not_now": "such a move has no place here: the phase is '{phase}', the talon {talon}",
    "card_not_held": "the card is not in the hand",
    "no_marriage_held": "king and queen of that suit are not both there",
    "already_announced": "that marriage has been announced already",
    "lead_the_marriage": "a marriage has been announced, and one of its cards must be led",
    "claim_now": "more than one marriage has been shown, which only who claims now may do",
    "no_turn_up": "there is no turn-up any more",
    "exchange_card_not_held": "the card to exchange is not in the hand",
    "already_looked_back": "the player has looked back once already",
    "nothing_to_look_at": "there are no tricks beyond those that may be looked at freely",
    "follow": "the suit led ({led}) must be followed by who can",
    "head": "the card led ({led}) must be beaten by who follows suit and can",
    "ruff": "who has none of the suit led ({led}) must play a trump",
    "marriage_trick": "a trick must have been won before a marriage is announced",
    "marriage_lead": "that is not the card of the marriage that is led",
    "marriage_unled": "a marriage must be led; it cannot just be shown like this",
    "marriage_late": "a marriage forgotten on the lead cannot be made good",
    "marriage_closed": "marriages cannot be announced in a closed talon",
    "marriage_exhausted": "marriages cannot be announced once the talon is exhausted",
    "exchange_card": "there is no exchange",
    "exchange_trick": "a trick must have been won before exchanging",
    "exchange_when": "this is no moment to exchange",
    "exchange_talon_min": "the talon has too few cards for an exchange",
    "exchange_closed": "the talon has been closed, and the exchange with it",
    "closing": "the talon cannot be closed at all",
    "closing_first_lead": "no trick has been played yet, and the talon cannot be closed before that",
    "closing_draw": "this is the wrong side of the draw to close",
    "closing_talon_min": "the talon has too few cards to be closed",
    "closing_adversary_first": "in a closed deal only the closer's count matters",
    "claim_when": "this is no moment to claim",
    "claim_open_closes": "a claim would close the talon",
    "look_back": "all tricks may be looked at freely, so that there is nothing to pay for",
    "look_back_price": "looking back {looking}",
}


@dataclass(frozen=True, slots=True)
class Bar:
    """One thing that bars a move: the reason's code and, unless it is structural, the option behind it.

    ``spot`` is the rule file's ``file:line``, ``source`` what the text or program is called, ``where`` the places in
    it; all are empty for a value that nobody wrote down. ``led`` is the card led, where ``text`` names it.
    """

    code: str
    option: str | None
    value: str | int | None
    status: str
    spot: str
    where: tuple[str, ...]
    text: str
    source: str = ""
    led: str = ""

    def told(self, card: Callable[[str], str]) -> str:
        """The text for players to whom cards are shown in another way; ``card`` gives the name of each."""
        return _PHRASES[_topic(self.code)].format(led=card(self.led)) if self.led else self.text


@dataclass(frozen=True, slots=True)
class Refusal:
    """A move that is not allowed, and everything that bars it: structural reasons first, options in registry order."""

    move: Move
    bars: tuple[Bar, ...]
    sentence: str

    @property
    def reasons(self) -> tuple[str, ...]:
        """The codes of all that bars the move; an option's reason has the option's name."""
        return tuple(bar.code for bar in self.bars)

    @property
    def options(self) -> tuple[str, ...]:
        """The options that bar the move, in registry order."""
        return tuple(bar.option for bar in self.bars if bar.option is not None)

    @property
    def values(self) -> tuple[str | int, ...]:
        """The values of these options."""
        return tuple(bar.value for bar in self.bars if bar.value is not None)

    @property
    def sources(self) -> tuple[tuple[str, ...], ...]:
        """For each of these options, the places in the source that say so; ``bars`` name the source itself."""
        return tuple(bar.where for bar in self.bars if bar.option is not None)


def _topic(code: str) -> str:
    """The phrase for a reason. The three duties are asked for each state of the talon, but say the same thing."""
    return code if code in _PHRASES else code.rpartition("_")[0]


def _phrase(rules: Ruleset, state: State, reason: Reason, move: Move, led: str) -> str:
    price = rules["look_back_price"]
    if reason.code == "look_back_price":
        cost = BY_NAME["look_back_price"].meaning(price)
        looking = "is not allowed" if move.token == "@" else f"has cost this: {cost}"
    else:
        looking = ""
    return _PHRASES[_topic(reason.code)].format(
        mover=SEAT_LETTERS[state[TO_MOVE]],
        phase=PHASES[state[PHASE]],
        talon=TALONS[state[TALON]],
        led=led,
        looking=looking,
    )


def cited(rules: Ruleset, option: str) -> str:
    """Where an option's value comes from, as text: ``follow_closed = required, foster.yaml:81, ¶31.2 (stated)``."""
    said = rules.evidence[option]
    parts = [f"{option} = {said.value}"]
    if said.spot is not None:
        parts.append(f"{said.spot.file}:{said.spot.line}")
    if said.where:
        parts.append(", ".join(said.where))
    return ", ".join(parts) + (f" ({said.status})" if said.status else "")


def source_name(rules: Ruleset, ruleset: str) -> str:
    """What the source is called from which a ruleset (this one or an ancestor) was read; empty where there is none."""
    source = rules.sources.get(ruleset)
    if source is None:
        return ""
    found = source.file if source.type == "text" else f"{source.package} {source.version}"
    title = rules.title if ruleset == rules.id else source.title
    return f"{title} ({found})" if title else found


def refusal(rules: Ruleset, state: State, move: Move, mask: int) -> Refusal:
    """The refusal for a move that the reasons in ``mask`` bar."""
    bars = []
    for reason in reasons_in(mask):
        led = card_name(state[LED]) if "{led}" in _PHRASES[_topic(reason.code)] else ""
        text = _phrase(rules, state, reason, move, led)
        if reason.option is None:
            bars.append(Bar(reason.code, None, None, "", "", (), text, led=led))
            continue
        said = rules.evidence[reason.option]
        spot = f"{said.spot.file}:{said.spot.line}" if said.spot is not None else ""
        source = source_name(rules, said.ruleset) if said.where else ""
        bars.append(Bar(reason.code, reason.option, said.value, said.status, spot, said.where, text, source, led))
    told = "; ".join(bar.text if bar.option is None else f"{bar.text} [{cited(rules, bar.option)}]" for bar in bars)
    named = "; ".join(dict.fromkeys(bar.source for bar in bars if bar.source))
    return Refusal(move, tuple(bars), f"{move} is not allowed: {told}." + (f" Source: {named}." if named else ""))
