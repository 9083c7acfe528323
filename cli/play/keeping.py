"""Keeping the game while it is played, and going on with one that was kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote

from variant_engine.games import Game
from variant_engine.notation import Move
from variant_engine.players import PLAYERS, Rng
from variant_engine.record import About, DealRecord, Lookup, RecordError, Replayed, check, replay, require
from variant_engine.record.files import read_file
from variant_engine.record.model import Record
from variant_engine.record.proof import Secret, new_secret
from variant_engine.record.recorder import Recorder, open_for_append
from variant_engine.record.replay import sequence_problems
from variant_engine.record.store import Store, is_torn
from variant_engine.record.summary import summary
from variant_engine.record.tags import read_tags
from variant_engine.ruleset import Ruleset
from variant_engine.table import Deal

from .people import People


class CannotResume(ValueError):
    """There is no game to go on with. The message is a sentence for people."""


class Keeper:
    """Keeps a game, deal by deal and move by move, in a record; or nowhere.

    ``make`` gives the recorder when the first deal begins, so that no empty record is left of a game that never began.
    """

    def __init__(
        self,
        make: Callable[[], Recorder] | None,
        store: Store,
        *,
        recorder: Recorder | None = None,
        about: About | None = None,
        verify: bool = False,
    ) -> None:
        self._make = make
        self._store = store
        self._recorder = recorder
        self.about = about or About()
        self.verify = verify
        self._commitment = ""
        #: The secret of a deal that has not been begun yet.
        self._unused = ""

    @property
    def path(self) -> Path | None:
        """The record, once there is one."""
        return self._recorder.path if self._recorder is not None else None

    @property
    def keeps(self) -> bool:
        """Whether the game is kept at all."""
        return self._make is not None or self._recorder is not None

    def secret(self, game: Game) -> Secret | None:
        """A secret for the game's next deal, kept until it is opened; None where deals are not to be proved."""
        if not self.verify:
            return None
        about = self.about
        secret = new_secret(game.rules, dealer=game.dealer, number=game.number, game=about.game, bots=about.bots)
        self._store.keep_secret(secret)
        self._unused = secret.commitment
        return secret

    def begin(self, start: Deal, seed: tuple[int, int], turn_up_at: int, secret: Secret | None) -> None:
        """Write the beginning of a deal. Raises :class:`RecordError`."""
        recorder = self._recorder
        if recorder is None and self._make is not None:
            recorder = self._make()
        if recorder is not None:
            about = replace(self.about, seed=None if secret is not None else seed, turn_up_at=turn_up_at)
            try:
                recorder.begin(start, about, secret=secret)
            except BaseException:
                if self._recorder is None:
                    # Nothing is in it, and there would be nothing to go on with.
                    recorder.close()
                    recorder.path.unlink(missing_ok=True)
                raise
        self._recorder = recorder
        self._unused = ""
        self.committed(secret)

    def committed(self, secret: Secret | None) -> None:
        """Note the secret of the deal under way."""
        self._commitment = secret.commitment if secret is not None else ""

    def play(self, deal: Deal, move: Move) -> Deal:
        """Make a move, written before it counts. Raises :class:`RecordError`; the move is then not made."""
        after = self._recorder.play(move) if self._recorder is not None else deal.play(move)
        if after.over and self._commitment:
            self._store.forget_secret(self._commitment)
        return after

    def close(self) -> None:
        """Let others write."""
        if self._recorder is not None:
            self._recorder.close()
        if self._unused:
            self._store.forget_secret(self._unused)


def try_out(make: Callable[[], Recorder]) -> None:
    """See whether a record can be made, and take it away again. Raises :class:`RecordError`."""
    with make() as recorder:
        path = recorder.path
    path.unlink(missing_ok=True)


# ---- going on -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Resumed:
    """A kept game: the game before the deal under way, and all positions of that deal (none between two deals).

    ``seed`` is the seed and number from which the bots' random numbers follow in this deal.
    """

    game: Game
    people: People
    keeper: Keeper
    positions: tuple[Deal, ...] = ()
    seed: tuple[int, int] = (0, 0)
    notice: str = ""


@dataclass(slots=True)
class _Last:
    """The last deal of a record, played again."""

    played: Replayed
    start: Deal
    positions: tuple[Deal, ...]
    carry: int
    seed: tuple[int, int] | None
    bots: dict[int, str]
    secret: Secret | None
    notices: list[str]


def newest(store: Store, ruleset: str | None = None, rules: Ruleset | None = None) -> tuple[Path, list[Path]]:
    """The record of the last game that is not over, of one ruleset if its id is given; ``rules`` are looked at first.

    A game whose rules are not found cannot be gone on with: such are passed over, and are the second thing that is
    given. Raises :class:`CannotResume` if there is no game.
    """
    skipped: list[Path] = []
    for path in store.newest_first():
        try:
            record = read_file(path)
        except RecordError:
            if ruleset is None and is_torn(path):
                return path, skipped
            continue
        last = record.deals[-1]
        if ruleset is not None and last.get("Ruleset") != ruleset:
            continue
        lookup = store.lookup(path, rules)
        if lookup.rules_for(read_tags(last)) is None:
            skipped.append(path)
        elif not last.finished or not _decided(path, last, lookup):
            return path, skipped
    of = f" of {ruleset}" if ruleset is not None else ""
    begin = ruleset or "foster"
    message = f"there is no game{of} to go on with; 'sixtysix play {begin}' begins one"
    if skipped:
        message = "\n".join([f"there is no game{of} to go on with", *map(rules_missing, skipped)])
    raise CannotResume(message)


def rules_missing(path: Path) -> str:
    """What to do about a game whose rules are not found, in a line."""
    return f"the rules of {path.name} are not found; with them: sixtysix play --resume {quote(str(path))} --rules FILE"


def wind(streams: Mapping[int, Rng], positions: Sequence[Deal], people: People) -> None:
    """Let the bots choose their moves so far again, so that their random numbers go on where they stopped."""
    players = people.players
    history = positions[-1].history
    skip = False
    for place, (before, (seat, move)) in enumerate(zip(positions, history, strict=False)):
        if skip or seat not in players or seat != before.to_move:
            skip = False
            continue
        chosen = players[seat](before.view(seat), streams[seat])
        # A marriage that scored itself is two moves in a record, but was one when it was chosen.
        skip = chosen != move and place + 1 < len(history) and chosen == history[place + 1][1]


def _decided(path: Path, last: DealRecord, lookup: Lookup) -> bool:
    played = replay(last, lookup)
    # What does not hold cannot be gone on with either.
    return not played.ok or bool(summary(str(path), 1, played).game_winner)


def resume(path: Path, store: Store, rules: Ruleset | None, fresh_seed: int) -> Resumed:
    """Open a kept game to go on with it; ``rules`` where they are not to be looked up.

    Raises :class:`RecordError` for a record that cannot be written on, read or played, and :class:`CannotResume`.
    """
    recorder = open_for_append(path)
    try:
        return _resumed(recorder, store, store.lookup(path, rules), fresh_seed)
    except BaseException:
        recorder.close()
        raise


def _resumed(recorder: Recorder, store: Store, lookup: Lookup, fresh_seed: int) -> Resumed:
    record = recorder.record
    if record is None:
        raise CannotResume(f"in {recorder.path} nothing has been dealt yet; begin a new game")
    last = _last(recorder, record.deals[-1], store, lookup)
    before = _deals_before(record, lookup)
    wrong = sequence_problems(before[-1], last.played) if before else []
    if wrong:
        raise RecordError(wrong)
    results = [(one.end.result.winner, one.end.result.game_points) for one in before if one.end and one.end.result]
    seed = last.seed or (fresh_seed, len(results))
    verify = record.deals[-1].tag("Commit") is not None
    game = Game(
        last.start.rules,
        seed[0],
        last.start.dealer,
        number=seed[1],
        score=last.start.score,
        carry=last.carry,
        results=tuple(results),
    )
    unfinished = recorder.unfinished is not None
    if unfinished:
        if recorder.resume(lookup, secret=last.secret).over and last.secret is not None:
            # Only the end had been missing: now it is opened.
            store.forget_secret(last.secret.commitment)
    else:
        game = game.after(last.positions[-1])
        if game.over:
            raise CannotResume(f"the game in {recorder.path} is over")
    one = record.deals[-1]
    names = tuple(one.name(seat) for seat in range(last.start.seats))
    about = About(
        names=[one.get("AB"[seat]) for seat in range(last.start.seats)],
        event=one.get("Event"),
        date=one.get("Date"),
        game=one.get("Game"),
        bots=last.bots,
    )
    keeper = Keeper(None, store, recorder=recorder, about=about, verify=verify)
    keeper.committed(last.secret)
    positions = last.positions if unfinished else ()
    notices = [recorder.notice, *last.notices]
    return Resumed(game, People(names, last.bots), keeper, positions, seed, "\n".join(filter(None, notices)))


def _last(recorder: Recorder, one: DealRecord, store: Store, lookup: Lookup) -> _Last:
    secret = None
    if recorder.unfinished is not None:
        commit = one.get("Commit")
        try:
            secret = store.secret(commit) if commit else None
        except ValueError:
            secret = None
        if commit and secret is None:
            raise CannotResume(
                f"the cards of the deal in {recorder.path} are known only where it was begun: its secret is not here"
            )
        one = replace(one, star=None, results=())
    played = replay(one, lookup, pack=secret.pack if secret is not None else None)
    require(played)
    assert played.start is not None
    said = played.said
    unknown = [name for name in said.bots.values() if name not in PLAYERS]
    if unknown:
        raise CannotResume(f"in {recorder.path} a bot plays that is not here: '{unknown[0]}'")
    seed = (secret.seed, secret.number) if secret is not None else said.seed
    positions = (played.start, *(step.after for step in played.steps))
    notices = [found.message for found in played.problems if found.code == "P723"]
    return _Last(played, played.start, positions, said.carry, seed, dict(said.bots), secret, notices)


def _deals_before(record: Record, lookup: Lookup) -> list[Replayed]:
    """The deals before the last one that belong to its game. Raises :class:`RecordError` if one does not hold."""
    last = record.deals[-1]
    if not last.get("Game"):
        return []
    same = [one for one in record.deals[:-1] if one.get("Game") == last.get("Game")]
    found = check(Record(tuple(same)), lookup)
    for played in found:
        require(played)
    return found
