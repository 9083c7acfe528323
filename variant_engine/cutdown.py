"""Cut-down packs: the same rules with a few cards, small enough that every deal can be played in every way.

A cut-down pack is no option; nobody plays it. :func:`cut_down` gives a derived ruleset whose name and hash show it.

What follows from the cards is scaled with them. The target and the schneider limit become the same share of the card
points in the pack as they were before, **rounded up**; on request so do the marriages and what the last trick counts,
so that how many marriages bring the target stays as it was. Packets are no larger than a hand; how many face-down
cards the talon must still have for an exchange or for closing is no more than it ever has.
"""

from __future__ import annotations

from dataclasses import replace

from .cards import RANKS, SUITS, cards_in
from .encoding import COUNTS, PACK
from .evidence import Evidence
from .options import BY_NAME
from .options.deal import HAND_CARDS
from .ruleset import ContradictoryOptions, Ruleset, RulesetError, contradictions

_SCALED = ("target_card_points", "schneider_limit")
_SCALED_TOO = ("marriage_plain", "marriage_trump", "last_trick_bonus", "last_trick_bonus_closed")


class CutDownError(RulesetError):
    """A pack that the rules cannot be cut down to. The message is a sentence for people."""


def cut_down(rules: Ruleset, *, suits: int | str = 4, ranks: str, hand: int, marriages: bool = False) -> Ruleset:
    """The same rules for a pack of some suits (how many, or their letters) and ranks, with hands of ``hand`` cards.

    ``marriages`` scales what marriages and the last trick count as well. Raises :class:`CutDownError` for a pack that
    is none, and :class:`~variant_engine.ruleset.ContradictoryOptions` for rules that it cannot serve.
    """
    if rules.cut_pack:
        raise CutDownError("the pack has been cut down already")
    suit_letters = _suits(suits)
    rank_letters = _letters(ranks.upper(), RANKS, "rank")
    pack = sum(1 << 8 * SUITS.index(suit) + RANKS.index(rank) for suit in suit_letters for rank in rank_letters)
    ints = rules.ints
    if pack & ~ints[PACK]:
        raise CutDownError(f"the pack of {rules.id} has none of the rank {_first_missing(pack, ints[PACK])}")
    if isinstance(hand, bool) or not isinstance(hand, int) or not 2 <= hand <= ints[HAND_CARDS]:
        raise CutDownError(f"the hands must have from 2 to {ints[HAND_CARDS]} cards, not {hand!r}")
    talon = pack.bit_count() - 2 * hand - 1
    if talon < 1:
        raise CutDownError(f"{pack.bit_count()} cards leave no talon beside two hands of {hand}")
    before, after = _card_points(ints, ints[PACK]), _card_points(ints, pack)
    values = dict(rules.values)
    values["hand_cards"] = hand
    values["packet_cards"] = min(int(values["packet_cards"]), hand)
    for name in ("exchange_talon_min", "closing_talon_min"):
        values[name] = min(int(values[name]), talon)
    for name in (*_SCALED, *(_SCALED_TOO if marriages else ())):
        values[name] = max(BY_NAME[name].lowest, -(-int(values[name]) * after // before))
    values["schneider_limit"] = min(int(values["schneider_limit"]), int(values["target_card_points"]))
    broken = contradictions(values, pack)
    if broken:
        raise ContradictoryOptions("; ".join(broken))
    evidence = {
        name: said if said.value == values[name] else Evidence(values[name]) for name, said in rules.evidence.items()
    }
    name = f"{suit_letters}x{rank_letters}x{hand}" + ("m" if marriages else "")
    return replace(
        rules,
        id=f"{rules.id}-cut-{name}",
        title=f"{rules.title}, cut down to {' '.join(rank_letters)} of {' '.join(suit_letters)}, hands of {hand}",
        kind="house",
        values=values,
        evidence=evidence,
        cut_pack=pack,
        _loaded=None,
    )


def _card_points(ints: tuple[int, ...], pack: int) -> int:
    return max(1, sum(ints[COUNTS + (card & 7)] for card in cards_in(pack)))


def _suits(suits: int | str) -> str:
    if isinstance(suits, str):
        return _letters(suits.upper(), SUITS, "suit")
    if isinstance(suits, bool) or not 1 <= suits <= 4:
        raise CutDownError(f"a pack has from 1 to 4 suits, not {suits!r}")
    return SUITS[:suits]


def _letters(given: str, known: str, what: str) -> str:
    """The letters in the order of the notation: S H D C, A T K Q J 9 8 7."""
    order = known if what == "suit" else known[::-1]
    if not given:
        raise CutDownError(f"name at least one {what}: {' '.join(order)}")
    for letter in given:
        if letter not in known or given.count(letter) > 1:
            fault = "twice" if letter in known else f"and is no {what}; write {' '.join(order)}"
            raise CutDownError(f"{letter!r} is there {fault}")
    return "".join(letter for letter in order if letter in given)


def _first_missing(pack: int, whole: int) -> str:
    return RANKS[cards_in(pack & ~whole)[0] & 7]
