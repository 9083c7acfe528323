"""The end of a deal and of a game in words: both counts, what decided, how the value came about, the score."""

from __future__ import annotations

from variant_engine.games import Game
from variant_engine.hints import counted
from variant_engine.table import Deal
from variant_engine.verdict import Ground, verdict

from .console import Console
from .people import People
from .source import show_options
from .told import marriage_worth

_DECIDED = {
    "claimed": "{who} had reached {target}, so the claim was right.",
    "reached": "{who} {have} reached {target}, which ends the deal by itself.",
    "claimed_falsely": "{who} claimed {target} with only {count}: the claim was wrong.",
    "adversary_first": "{who} had closed, and the adversary was there first: the closing has failed.",
    "closer_short": "{who} closed and came to {count}, short of {target}: the closing has failed.",
    "closer_made_it": "All cards are played. {who} closed and {have} reached {target}; only that count matters.",
    "both_last_trick": "All cards are played and both have reached {target}: the last trick decides.",
    "both_nobody": "All cards are played and both have reached {target}: nobody wins.",
    "both_higher": "All cards are played and both have reached {target}: the higher count wins.",
    "both_first": "All cards are played and both have reached {target}: who was there first wins.",
    "not_claimed": "All cards are played. {who} had reached {target} but did not claim: nobody wins.",
    "one_reached": "All cards are played, nobody claimed, and only {name} {have} reached {target}.",
    "none_last_trick": "All cards are played and nobody has reached {target}: the last trick decides.",
    "none_nobody": "All cards are played and nobody has reached {target}: nobody wins.",
    "none_higher": "All cards are played and nobody has reached {target}: the higher count wins.",
}
_VALUED = {
    "plain": "{who} {are} neither schneider nor schwarz: {value}.",
    "schneider": "{who} {are} schneider, with fewer than {limit} card points: {value}.",
    "schwarz": "{who} {are} schwarz, {schwarz}: {value}.",
    "plain_win": "Such a deal is worth a plain win: {value}.",
    "valued_at_closing": "What counts is how {name} stood when the talon was closed.",
    "closing_forfeit": "A failed closing gives {name} {value}.",
    "closing_forfeit_trickless": "A failed closing gives {name}, who {have} no trick, {value}.",
    "closing_forfeit_trickless_then": "A failed closing gives {name}, who had no trick when the talon was closed, "
    "{value}.",
    "failed_closing_too": "The false claim is a failed closing as well, which is dearer.",
    "mirrored": "A false claim gives the adversary what {name} would have scored.",
    "claim_forfeit": "A false claim gives {name} {value}.",
    "claim_forfeit_trickless": "A false claim gives {name}, who {have} no trick, {value}.",
    "carried": "To this {number} carried over from before {be} added.",
    "carried_over": "Carried over to the next deal that is won: {value}.",
}


def game_points(number: int) -> str:
    """``2 game points``."""
    return counted(number, "game point")


def show_end_of_deal(console: Console, people: People, deal: Deal, game: Game) -> None:
    """Show how a deal ended; ``game`` is the game after it."""
    result = deal.result
    assert result is not None
    found = verdict(deal)
    words = _Words(people, deal)
    if result.winner is None:
        console.say("The deal is over. Nobody wins it.")
    else:
        won = people.says(result.winner, "win", game_points(result.game_points))
        console.say(f"The deal is over. {won}.")
    rows = [("Card points", people.each(result.card_points))]
    if any(deal.announced):
        rows.append(("Marriages", "; ".join(_marriages(console, people, deal, seat) for seat in people.seats)))
    console.rows([*rows, ("Tricks", people.each(deal.tricks))])
    for ground in found.counted:
        where = "closed" if ground.options[0].endswith("closed") else "exhausted"
        who = people.name(ground.seat) if ground.seat is not None else "nobody"
        console.say(f"({ground.number} of the card points for the last trick, by {who}; talon {where}.)", indent="  ")
        show_options(console, deal.rules, ground.options)
    console.say(words.of(_DECIDED, found.decided), indent="  ")
    show_options(console, deal.rules, found.decided.options)
    for ground in found.valued:
        if ground.code == "carried_over" and not ground.number:
            continue
        console.say(words.of(_VALUED, ground), indent="  ")
        show_options(console, deal.rules, ground.options)
    show_score(console, people, game)


def _marriages(console: Console, people: People, deal: Deal, seat: int) -> str:
    """What a player has announced, and what of it counted."""
    name = people.name(seat)
    suits = deal.announced[seat]
    if not suits:
        return f"{name} none"
    worth = [marriage_worth(deal, suit) for suit in suits]
    told = " and ".join(f"{number} in {console.look.suit(suit)}" for number, suit in zip(worth, suits, strict=True))
    lost = deal.pending[seat]
    return f"{name} {told}" + (f" ({lost} of them not counted, for want of a trick)" if lost else "")


def show_score(console: Console, people: People, game: Game) -> None:
    """Show the score of the game."""
    target = int(game.rules["target_game_points"])
    carried = f"; {game_points(game.carry)} carried over" if game.carry else ""
    console.say(f"Score: {people.each(game.score)}{carried}. The game goes to {target}.")


def show_end_of_game(console: Console, people: People, game: Game) -> None:
    """Show who has won the game, and what is owed."""
    winner = game.winner
    assert winner is not None
    lost = next(seat for seat in people.seats if seat != winner)
    console.say()
    console.say(
        f"The game is over. {people.says(winner, 'win')} it, {game.score[winner]} to {game.score[lost]}, after "
        f"{counted(game.number, 'deal')}."
    )
    owed = game.stakes
    options = ["stakes"]
    if game.rules["double_game"] == "double" and game.score[lost] == 0:
        none = f"{people.name(lost)} {people.does(lost, 'have')} no game point"
        console.say(f"It counts double, for {none}.", indent="  ")
        options.append("double_game")
    console.say(f"{people.says(lost, 'owe', counted(owed, 'stake'))}.", indent="  ")
    show_options(console, game.rules, options)


class _Words:
    """Fills the sentences above."""

    def __init__(self, people: People, deal: Deal) -> None:
        self.people = people
        self.deal = deal

    def of(self, sentences: dict[str, str], ground: Ground) -> str:
        rules, people, seat = self.deal.rules, self.people, ground.seat
        by_tricks = rules["schwarz_by"] == "no_trick"
        words: dict[str, object] = {
            "target": rules["target_card_points"],
            "limit": rules["schneider_limit"],
            "value": game_points(ground.number),
            "number": game_points(ground.number),
            "be": "is" if ground.number == 1 else "are",
            "schwarz": "without a trick" if by_tricks else "without a card point",
        }
        if seat is not None:
            words |= {
                "who": people.start(seat),
                "name": people.name(seat),
                "have": people.does(seat, "have"),
                "are": people.does(seat, "are"),
                "count": self.deal.card_points[seat],
            }
        return sentences[ground.code].format(**words)
