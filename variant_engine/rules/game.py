"""From deal to deal: who deals next."""

from __future__ import annotations

from ..encoding import SEATS, Rules
from ..options.deal import ALTERNATE, NEXT_DEALER, NEXT_DEALER_TIE, SAME_DEALER, WINNER_DEALS
from ..state import next_seat


def dealer_after(rules: Rules, dealer: int, winner: int) -> int:
    """Who deals after a deal that ``winner`` (-1: nobody) has won."""
    following = next_seat(rules[SEATS], dealer)
    if winner < 0:
        return dealer if rules[NEXT_DEALER_TIE] == SAME_DEALER else following
    if rules[NEXT_DEALER] == ALTERNATE:
        return following
    return winner if rules[NEXT_DEALER] == WINNER_DEALS else next_seat(rules[SEATS], winner)
