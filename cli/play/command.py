"""The command: ``sixtysix play``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from ..common import UNUSABLE, Changes, fail, help_text, load_ruleset
from ..terminal import complain, emit, width

if TYPE_CHECKING:
    from variant_engine.record import RecordError
    from variant_engine.record.recorder import Recorder
    from variant_engine.record.store import Store
    from variant_engine.ruleset import Ruleset

    from .console import Console
    from .keeping import Keeper, Resumed
    from .people import People

_HELP = help_text(
    "Play a game by a ruleset: against a bot, or two people at one terminal. Type a card, or ? for what you may do, or "
    "help. Every move is kept at once; --resume goes on with the last game, or with the one in a FILE. Exit code 0 "
    "also for a game that was left; 130 after Ctrl-C.",
    "sixtysix play foster\nsixtysix play handbook --two --name Anna --name Tibor\nsixtysix play --resume",
)

Game = Annotated[
    str | None,
    typer.Argument(metavar="[RULESET|FILE]", help="A ruleset's id or file; with --resume, a record or a ruleset."),
]
Against = Annotated[
    str | None, typer.Option("--against", metavar="BOT", help="The bot: greedy (the default) or random.")
]
Two = Annotated[bool, typer.Option("--two", help="Two people at one terminal.")]
Names = Annotated[
    list[str] | None, typer.Option("--name", metavar="NAME", help="Your name in the record; with --two give it twice.")
]
SeedOption = Annotated[
    int | None, typer.Option("--seed", metavar="N", help="The same seed gives the same cards, everywhere.")
]
Colours = Annotated[str, typer.Option("--colours", metavar="two|four|none", help="How many colours the suits have.")]
Plain = Annotated[bool, typer.Option("--plain", help="Letters for the suits: HQ instead of ♥Q.")]
Cards = Annotated[str, typer.Option("--cards", metavar="en|de", help="de: German suits and ranks, shown and typed.")]
Count = Annotated[bool, typer.Option("--count", help="Show the count of card points even where it may not be written.")]
RecordTo = Annotated[
    str | None, typer.Option("--record", metavar="FILE", help="Keep the game in this new file, not among the others.")
]
NoRecord = Annotated[bool, typer.Option("--no-record", help="Keep nothing.")]
Verify = Annotated[bool, typer.Option("--verify", help="Provable deals: see 'sixtysix verify'.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with a game that was left.")]
RulesFile = Annotated[
    str | None,
    typer.Option("--rules", metavar="FILE", help="With --resume: where the game's own rules are, if not found."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("play", help=_HELP, short_help="Play a game by any ruleset.")(play)


def play(
    ruleset: Game = None,
    against: Against = None,
    two: Two = False,
    names: Names = None,
    seed: SeedOption = None,
    changes: Changes = None,
    resume: Resume = False,
    rules_file: RulesFile = None,
    verify: Verify = False,
    record: RecordTo = None,
    no_record: NoRecord = False,
    count: Count = False,
    plain: Plain = False,
    colours: Colours = "two",
    cards: Cards = "en",
) -> None:
    """``sixtysix play``."""
    import secrets

    from .session import Session

    console = _console(plain, colours, cards)
    fresh_seed = secrets.randbelow(10**9) if seed is None else seed
    if resume:
        given = {
            "--against": against, "--two": two, "--name": names, "--seed": seed is not None, "--set": changes,
            "--verify": verify, "--record": record, "--no-record": no_record,
        }  # fmt: skip
        wrong = [flag for flag, value in given.items() if value]
        if wrong:
            fail(f"{wrong[0]} belongs to a new game; a game that is resumed goes on as it began")
        found = _resume(ruleset, rules_file, fresh_seed, console)
        session = Session(found.game.rules, found.people, console, found.keeper, found.game.seed, count=count)
        raise typer.Exit(session.run(found))
    if rules_file is not None:
        fail("--rules belongs to --resume; a new game is begun with the file itself: sixtysix play FILE")
    if ruleset is None:
        fail("which ruleset? 'sixtysix list' shows them; 'sixtysix play foster' plays one")
    if ruleset.endswith(".p66"):
        fail(f"'{ruleset}' is a record; to go on with it: sixtysix play --resume {ruleset}")
    if verify and (no_record or seed is not None):
        fail(f"--verify proves a deal by its record and draws its own seeds: leave out {_other(no_record)}")
    rules = load_ruleset(ruleset, changes)
    called = [_clean(name) for name in names or []]
    people = _people(against, two, called)
    keeper = _keeper(rules, people, called, record, no_record, verify)
    _greet(console, rules, people, keeper, count)
    raise typer.Exit(Session(rules, people, console, keeper, fresh_seed, count=count).run())


def _clean(name: str) -> str:
    """A name that fits on a line of a record and of the screen."""
    from variant_engine.hints import printable

    clean = printable(" ".join(name.split()))
    return clean if clean else fail("--name takes a name")


def _other(no_record: bool) -> str:
    return "--no-record" if no_record else "--seed"


def _console(plain: bool, colours: str, cards: str) -> Console:
    from .console import Console, ask_at_terminal, hide_screen, prepare_input, shows_colours, shows_signs
    from .look import COLOURS, Look

    if colours not in COLOURS:
        fail(f"--colours takes two, four or none, not '{colours}'")
    if cards not in ("en", "de"):
        fail(f"--cards takes en or de, not '{cards}'")
    look = Look(signs=not plain and shows_signs(), german=cards == "de", colours=colours if shows_colours() else "none")
    prepare_input()
    return Console(ask_at_terminal, emit, look, min(width(), 100), hide_screen)


def _people(against: str | None, two: bool, names: list[str]) -> People:
    from variant_engine.hints import nearest, quoted
    from variant_engine.players import PLAYERS

    from .people import People

    if two and against is not None:
        fail("--against names a bot, but --two is for two people")
    if len(names) > (2 if two else 1):
        fail("give --name once for each person who plays")
    if two:
        if len(set(names)) < len(names):
            fail("the two people need different names")
        return People((*names, *"AB"[len(names) :]))
    bot = against if against is not None else "greedy"
    if bot not in PLAYERS:
        meant = nearest(bot, PLAYERS)
        known = f"did you mean '{meant}'?" if meant else f"there are: {', '.join(PLAYERS)}"
        fail(f"no bot is called {quoted(bot)}; {known}")
    return People((names[0] if names else "You", bot), {1: bot})


def _keeper(
    rules: Ruleset, people: People, names: list[str], record: str | None, no_record: bool, verify: bool
) -> Keeper:
    from variant_engine.record import About, RecordError
    from variant_engine.record.recorder import create
    from variant_engine.record.store import Store

    from .keeping import Keeper, try_out

    if no_record:
        if record is not None:
            fail("--record and --no-record contradict each other")
        return Keeper(None, Store())
    date = time.strftime("%Y.%m.%d")
    about = About(
        names=tuple(people.names) if names or people.bots else (),
        date=date,
        game=time.strftime("%Y-%m-%d %H:%M:%S"),
        bots=people.bots,
    )
    store = Store()

    def make() -> Recorder:
        if record is not None:
            return create(record)
        # Without its rules, the record would be of no use once they are changed or moved.
        _keep_rules(rules, store)
        return store.new_record(rules.id, date)

    try:
        try_out(make)
    except RecordError as error:
        _cannot(error)
    if record is not None:
        _try_to_keep_rules(rules, store)
    return Keeper(make, store, about=about, verify=verify)


def _keep_rules(rules: Ruleset, store: Store) -> None:
    """Keep a copy of the rules. Raises :class:`RecordError` if rules that do not ship cannot be kept."""
    from variant_engine.record import RecordError
    from variant_engine.record.copies import ships

    try:
        store.keep_rules(rules)
    except RecordError:
        if not ships(rules):
            raise


def _try_to_keep_rules(rules: Ruleset, store: Store) -> None:
    """Keep a copy of the rules of a game in a file of its own, which can be played without."""
    from variant_engine.record import RecordError

    try:
        _keep_rules(rules, store)
    except RecordError as error:
        complain(str(error))
        complain("sixtysix: keep the rules' file as it is: --rules names it when the game is gone on with or replayed")


def _cannot(error: RecordError) -> NoReturn:
    complain(str(error))
    if any(one.code == "P721" for one in error.diagnostics):
        complain("sixtysix: a game cannot be gone on with by other rules than it was begun with")
    raise typer.Exit(UNUSABLE)


def _greet(console: Console, rules: Ruleset, people: People, keeper: Keeper, count: bool) -> None:
    from .look import LEGEND, ranks_and_counts

    changes = "".join(f", {name}={value}" for name, value in rules.diff)
    who = "You play" if people.you is not None else f"{people.name(0)} plays"
    console.say(f"{rules.title} ({rules.id}{changes})")
    console.say(
        f"{who} against {people.name(1)}. A deal is won with {rules['target_card_points']} card points, the game with "
        f"{rules['target_game_points']} game points."
    )
    console.say(ranks_and_counts(rules, console.look))
    if rules["count_written"] == "forbidden" and not count:
        console.say("The count is kept in the head until the deal is over, as the rules have it; --count shows it.")
    kept = "Every move is kept at once" if keeper.keeps else "Nothing is kept"
    console.say(f"Type ? for what you may do, rules for the rules, help for all else, quit to leave. {kept}.")
    if console.look.german:
        console.say(LEGEND)
    console.say()


def _resume(name: str | None, rules_file: str | None, fresh_seed: int, console: Console) -> Resumed:
    from variant_engine.record import RecordError
    from variant_engine.record.store import Store

    from .keeping import CannotResume, resume

    store = Store()
    try:
        path, rules = _record_of(name, rules_file, store, console)
        found = resume(path, store, rules, fresh_seed)
    except CannotResume as error:
        fail(str(error))
    except RecordError as error:
        _cannot(error)
    if rules is not None:
        _try_to_keep_rules(found.game.rules, store)
    return found


def _record_of(name: str | None, rules_file: str | None, store: Store, console: Console) -> tuple[Path, Ruleset | None]:
    """The record to go on with: the one named, or the last of a ruleset, or the last of all; and rules given for it."""
    from .keeping import CannotResume, newest, rules_missing

    given = load_ruleset(rules_file) if rules_file is not None else None
    if name == "-":
        fail("a game is gone on with in its file, which the standard input is not")
    if name is not None and (name.endswith(".p66") or (not name.endswith(".yaml") and Path(name).is_file())):
        return Path(name), given
    if given is None and name is not None and (name.endswith((".yaml", ".yml")) or "/" in name):
        given = load_ruleset(name)
    try:
        path, skipped = newest(store, given.id if given is not None else name, given)
    except CannotResume:
        if given is None and name is not None:
            # Perhaps there is no such ruleset; if so, that is what to say.
            load_ruleset(name)
        raise
    for one in skipped:
        console.say(rules_missing(one))
    return path, given
