"""A simulation's deals as a table on disk: Parquet files, one row a deal, in a folder that a later run goes on with.

The folder holds ``_simulation.json``, which says what is simulated, and shards ``deals-….parquet``, each named after
its first deal. A shard is written under another name and renamed when it is whole, so that whatever has its proper name
is complete. Its footer says what was simulated, what its deals came to and, by a checksum, that nothing has changed
since; a run that goes on takes the counts from there, without unpacking the rows, and plays the shards that lack.
"""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

from ..cards import SUITS, card_name, pack_order
from ..encoding import EXCHANGE_PLACE, SEATS
from ..notation import SEATS as SEAT_LETTERS
from ..notation import move_table
from ..options.deal import PACK_CARDS
from ..options.marriage import MARRIAGE_PLAIN, MARRIAGE_TRUMP
from ..phases import MOVE_COUNT
from ..ruleset import Ruleset
from ..shuffle import CROCKFORD, code_length, deal_label, pack_of_code, shuffled
from ..standing import RESULT_REASONS
from ..table import Deal
from ..table import deal as deal_cards
from . import playout as at
from .counter import SHUFFLE_STREAM, key_of, shuffle_by_counter, stream_of
from .tasks import SHUFFLE_NAMES, Part, Played, Setting, SimulationError, Sums, parts_of, play_part

#: Readers of Parquet folders pass over names that begin with an underscore or a full stop.
MANIFEST = "_simulation.json"
_FORMAT = 2
_FOOTER = b"sixtysix"
_PARTIAL = ".partial"
#: What a simulation is, so that its deals may lie beside each other: under the same rules, whatever they are called.
_IDENTITY = ("format", "rules_hash", "seed", "players", "shuffle", "moves", "pack_cards")
#: Stands where the checksum will stand while it is worked out, so that it covers everything but itself.
_UNSIGNED = b"0" * 64


class FolderError(SimulationError):
    """A folder that cannot be used for a simulation's deals. The message is a sentence for people."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a folder's deals are: the contents of ``_simulation.json``."""

    format: int
    ruleset: str
    changes: dict[str, str | int]
    rules_hash: str
    seed: int
    players: list[str]
    shuffle: str
    moves: bool
    pack_cards: int
    shard_deals: int

    @classmethod
    def of(
        cls, rules: Ruleset, seed: int, players: tuple[str, ...], shuffle: str, moves: bool, shard_deals: int
    ) -> Manifest:
        """The manifest of a simulation."""
        return cls(
            _FORMAT, rules.id, dict(rules.diff), rules.hash, seed, list(players), SHUFFLE_NAMES[shuffle], moves,
            rules.ints[PACK_CARDS], shard_deals,
        )  # fmt: skip

    def difference(self, told: Mapping[str, Any]) -> str | None:
        """What makes the deals of something on disk those of another simulation; None if they are of this one."""
        for name in _IDENTITY:
            mine, theirs = getattr(self, name), told.get(name)
            if mine != theirs:
                return f"its {name} is {_plain(theirs)}, not {_plain(mine)}"
        return None


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder for a simulation of so many deals, and the tokens and cards needed to write its rows."""

    path: Path
    manifest: Manifest
    deals: int
    found: tuple[tuple[Part, Sums], ...]

    @classmethod
    def open(cls, path: Path, manifest: Manifest, deals: int) -> Folder:
        """Open a folder, made if need be, for a simulation; raises :class:`FolderError` if it cannot be that.

        Nothing is written to it before :meth:`begin`.
        """
        if find_spec("pyarrow") is None:
            raise FolderError("writing a table of deals needs pyarrow: pip install 'sixtysix[parquet]'")
        try:
            path.mkdir(parents=True, exist_ok=True)
            known = path / MANIFEST
            if known.exists():
                manifest = _agreed(known, manifest)
            elif any(entry.suffix != _PARTIAL for entry in path.iterdir()):
                raise FolderError(f"{path} is not empty and holds no simulation ({MANIFEST} is missing)")
            for left_over in path.glob(f"*{_PARTIAL}"):
                left_over.unlink(missing_ok=True)
            if not os.access(path, os.W_OK):
                raise FolderError(f"{path} cannot be written to")
        except OSError as error:
            raise FolderError(f"{path} cannot be used: {error.strerror or error}") from None
        found = tuple(_shards(path, deals, manifest))
        return cls(path, manifest, deals, found)

    def begin(self) -> None:
        """Say in the folder what is simulated, unless it says so already."""
        known = self.path / MANIFEST
        try:
            if not known.exists():
                _write_whole(known, json.dumps(asdict(self.manifest), indent=2, ensure_ascii=False).encode() + b"\n")
        except OSError as error:
            raise FolderError(f"{self.path} cannot be used: {error.strerror or error}") from None

    @property
    def deals_found(self) -> int:
        """How many deals are there already."""
        return sum(part.count for part, _ in self.found)

    def places(self) -> Iterator[Sums | None]:
        """All parts in order: the counts of those that are there already, None for those still to be played."""
        there = dict(self.found)
        for part in parts_of(self.deals, self.manifest.shard_deals):
            yield there.get(part)

    def missing(self) -> Iterator[Part]:
        """The parts still to be played. A last shard that has become too short is played again, longer."""
        there = {part for part, _ in self.found}
        for part in parts_of(self.deals, self.manifest.shard_deals):
            if part not in there:
                yield part

    def write(self, played: Played) -> None:
        """Write a shard."""
        self.keep(played.part, packed(self.manifest, played))

    def keep(self, part: Part, shard: bytes) -> None:
        """Write a shard that was packed, here or elsewhere, by :func:`packed`."""
        name = self.path / shard_name(part.first)
        try:
            _write_whole(name, shard)
        except OSError as error:
            raise FolderError(f"{name} cannot be written: {error.strerror or error}") from None


def packed(manifest: Manifest, played: Played) -> bytes:
    """A shard as it is written, its checksum in its footer."""
    import pyarrow.parquet as pq

    footer = {name: getattr(manifest, name) for name in _IDENTITY} | {
        "first": played.part.first,
        "count": played.part.count,
        "sums": list(played.sums),
        "sha256": _UNSIGNED.decode(),
    }
    table = _table(manifest, played)
    content = BytesIO()
    with pq.ParquetWriter(content, table.schema, compression="zstd") as writer:
        writer.write_table(table)
        # The file's own, not the table's: those are written twice, the second time encoded.
        writer.add_key_value_metadata({_FOOTER: json.dumps(footer).encode()})
    shard = content.getvalue()
    return _with_checksum(shard, _UNSIGNED, sha256(shard).hexdigest().encode())


def _with_checksum(shard: bytes, old: bytes, new: bytes) -> bytes:
    """A shard with another checksum; its own is the last thing in it that looks like it, being in the footer."""
    place = shard.rindex(old)
    return shard[:place] + new + shard[place + len(old) :]


def _footer(shard: bytes) -> dict[str, Any]:
    """What a shard's footer says; raises one of a few errors if it is not as it was written, to the byte."""
    import pyarrow.parquet as pq

    footer: dict[str, Any] = json.loads(pq.read_metadata(BytesIO(shard)).metadata[_FOOTER])
    checksum = footer["sha256"].encode()
    if sha256(_with_checksum(shard, checksum, _UNSIGNED)).hexdigest().encode() != checksum:
        raise ValueError("changed since it was written")
    return footer


def shard_name(first: int) -> str:
    """The name of the shard that begins with a deal."""
    return f"deals-{first:016d}.parquet"


def _partial(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}{_PARTIAL}")


def _write_whole(path: Path, content: bytes) -> None:
    partial = _partial(path)
    try:
        with partial.open("wb") as file:
            file.write(content)
            # Lest after a power cut there is the name without the content.
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except BaseException:
        with suppress(OSError):
            partial.unlink()
        raise


def _agreed(path: Path, wanted: Manifest) -> Manifest:
    """The folder's manifest, if it is of the same simulation; the size of its shards counts, not the one wanted."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        there = Manifest(**data)
        if not isinstance(there.shard_deals, int) or there.shard_deals < 1:
            raise ValueError("no size of shards")
    except (ValueError, TypeError):
        raise FolderError(f"{path} cannot be read; without it the folder's deals cannot be trusted") from None
    if (difference := wanted.difference(data)) is not None:
        raise FolderError(f"{path.parent} holds another simulation: {difference}")
    return there


def _plain(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) else str(value)


def _shards(path: Path, deals: int, manifest: Manifest) -> Iterator[tuple[Part, Sums]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    for file in sorted(path.glob("*.parquet")):
        if file.name.startswith(("deals-", "_", ".")):
            continue
        # Somebody's own table may lie here. A copy of a shard would be counted twice by whoever reads it all.
        try:
            known = pq.read_metadata(file).metadata or {}
        except (OSError, ValueError, pa.ArrowException):
            continue
        if _FOOTER in known:
            raise FolderError(f"{file} is a shard under another name; take it out of the folder")
    size = manifest.shard_deals
    for file in sorted(path.glob("deals-*.parquet")):
        try:
            footer = _footer(file.read_bytes())
            part = Part(footer["first"], footer["count"])
            sums = tuple(footer["sums"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError, pa.ArrowException):
            raise FolderError(f"{file} is no whole shard; delete it to have its deals played again") from None
        if (difference := manifest.difference(footer)) is not None:
            raise FolderError(f"{file} is of another simulation: {difference}; take it out of the folder")
        if file.name != shard_name(part.first) or part.first % size or not 1 <= part.count <= size:
            raise FolderError(f"{file} holds other deals than its name says; take it out of the folder")
        if part.first + part.count > deals:
            there = part.first + part.count
            raise FolderError(f"{path} holds deals up to number {there}; ask for at least {there} to go on with it")
        if part.count == min(size, deals - part.first):
            yield part, sums


# ---- rows ---------------------------------------------------------------------------------------------------------


def _table(manifest: Manifest, played: Played) -> Any:
    """The rows as an Arrow table."""
    import pyarrow as pa
    import pyarrow.compute as pc

    count = played.part.count
    whole = _ints(pa, played.rows, at.ROW_LENGTH * count)

    def column(index: int) -> Any:
        return whole.slice(index * count, count)

    def named(index: int, names: list[str]) -> Any:
        return pa.DictionaryArray.from_arrays(column(index).cast(pa.int8()), pa.array(names, pa.string()))

    def seat(index: int) -> Any:
        # -1 for nobody becomes a missing value.
        place = column(index)
        place = pc.if_else(pc.less(place, 0), pa.scalar(None, pa.int64()), place)
        return pa.DictionaryArray.from_arrays(place.cast(pa.int8()), pa.array(list(SEAT_LETTERS), pa.string()))

    def constant(value: str) -> Any:
        return pa.DictionaryArray.from_arrays(pa.nulls(count, pa.int8()).fill_null(0), pa.array([value], pa.string()))

    columns: dict[str, Any] = {
        "number": pa.array(range(played.part.first, played.part.first + count), pa.int64()),
        "code": _codes(manifest.pack_cards, [column(at.ROW_RANK + part) for part in range(3)]),
        "trump": named(at.ROW_TRUMP, list(SUITS)),
        "dealer": named(at.ROW_DEALER, list(SEAT_LETTERS)),
        "winner": seat(at.ROW_WINNER),
        "game_points": column(at.ROW_SCORED).cast(pa.int32()),
        "reason": named(at.ROW_REASON, list(RESULT_REASONS)),
        "carry": column(at.ROW_CARRY).cast(pa.int32()),
        "closer": seat(at.ROW_CLOSER),
        "decisions": column(at.ROW_MOVES).cast(pa.int16()),
    }
    for place, letter in enumerate(SEAT_LETTERS[: len(manifest.players)]):
        columns[f"card_points_{letter.lower()}"] = column(at.ROW_CARD_POINTS + place).cast(pa.int32())
        columns[f"tricks_{letter.lower()}"] = column(at.ROW_TRICKS + place).cast(pa.int16())
    columns["ruleset"] = constant(manifest.ruleset)
    columns["rules_hash"] = constant(manifest.rules_hash)
    columns["players"] = constant(",".join(manifest.players))
    columns["shuffle"] = constant(manifest.shuffle)
    columns["seed"] = constant(str(manifest.seed))
    if manifest.moves:
        columns["moves"] = _moves(column(at.ROW_MOVES), played)
    return pa.table(columns)


def _ints(pa: Any, numbers: Any, length: int) -> Any:
    """An Arrow array over compiled code's array, without copying; or of a list."""
    if isinstance(numbers, list):
        return pa.array(numbers[:length], pa.int64())
    return pa.Array.from_buffers(pa.int64(), length, [None, pa.py_buffer(numbers)])


def _codes(pack_cards: int, rank: list[Any]) -> Any:
    """Deal codes from ranks in three parts: each part gives eight digits of five bits."""
    import pyarrow as pa
    import pyarrow.compute as pc

    digits = pa.array(list(CROCKFORD))
    text = []
    for place in reversed(range(code_length(pack_cards))):
        part, digit = divmod(place, at.RANK_PART_BITS // 5)
        text.append(digits.take(pc.bit_wise_and(pc.shift_right(rank[part], 5 * digit), 31)))
    return pc.binary_join_element_wise(f"{pack_cards}-", *text, "")


def _moves(counts: Any, played: Played) -> Any:
    """Each deal's moves, as ``64 * seat + move``: small, and with the deal code all that it takes to write them out."""
    import pyarrow as pa
    import pyarrow.compute as pc

    moves = _ints(pa, played.log, played.moves).cast(pa.uint8())
    ends = pc.cumulative_sum(counts).cast(pa.int32())
    offsets = pa.concat_arrays([pa.array([0], pa.int32()), ends])
    return pa.ListArray.from_arrays(offsets, moves)


def tokens(rules: Ruleset, trump: int, moves: list[int]) -> list[str]:
    """The tokens of moves from a row, each with its seat."""
    ints = rules.ints
    written = []
    for code in moves:
        seat, move = code >> 6, code & 63
        if move >= MOVE_COUNT:
            raise ValueError(f"there is no move {code}")
        table = move_table(trump, ints[MARRIAGE_PLAIN], ints[MARRIAGE_TRUMP], ints[EXCHANGE_PLACE], seat)
        written.append(f"{SEAT_LETTERS[seat]}:{table[move].token}")
    return written


def reopen(rules: Ruleset, row: Mapping[str, Any]) -> Deal:
    """The finished deal of a row of the table, with all its moves; :mod:`variant_engine.record` writes it as a record.

    ``rules`` must be those of the row. A row without moves is played again by its players, which comes to the same.
    Raises :class:`SimulationError` if it does not, or if the row cannot be read.
    """
    try:
        return _reopened(rules, row)
    except SimulationError:
        raise
    except KeyError as error:
        raise SimulationError(f"the row cannot be read: it lacks {error}") from None
    except (ValueError, IndexError, TypeError, AttributeError, OverflowError) as error:
        raise SimulationError(f"the row cannot be read: {error}") from None


def _reopened(rules: Ruleset, row: Mapping[str, Any]) -> Deal:
    for name in ("rules_hash", "code", "dealer"):
        if not isinstance(row[name], str):
            raise SimulationError(f"the row cannot be read: its '{name}' is {row[name]}")
    if row["rules_hash"] != rules.hash:
        raise SimulationError(f"the row was played by other rules: {row['rules_hash']}, not {rules.hash}")
    cards = pack_of_code(row["code"], pack_order(rules.ints[PACK_CARDS]))
    dealer = SEAT_LETTERS.index(row["dealer"])
    if row.keys() >= {"seed", "number", "shuffle"} and _dealt(rules, row) != (cards, dealer):
        raise SimulationError("seed and number of the row give another pack than its code, or another dealer")
    moves = row.get("moves")
    if moves is None:
        moves = _played_again(rules, row)
    deal = deal_cards(rules, pack=[card_name(card) for card in cards], dealer=dealer)
    for token in tokens(rules, SUITS.index(deal.trump), moves):
        deal = deal.play(token)
    winner = None if row["winner"] is None else SEAT_LETTERS.index(row["winner"])
    result = deal.result
    if result is None or result.winner != winner or result.game_points != row["game_points"]:
        raise SimulationError("played again, the deal of the row ends differently")
    # The rest of what the row tells, as far as it was asked for.
    closer = None if deal.closer is None else SEAT_LETTERS[deal.closer]
    told = {
        "reason": result.reason, "carry": result.carry, "closer": closer, "trump": deal.trump,
        "decisions": len(deal.history),
    }  # fmt: skip
    for seat in range(deal.seats):
        letter = SEAT_LETTERS[seat].lower()
        told |= {f"card_points_{letter}": result.card_points[seat], f"tricks_{letter}": deal.tricks[seat]}
    for name, value in told.items():
        if name in row and row[name] != value:
            raise SimulationError(f"the row says that '{name}' is {row[name]}; played again, it is {value}")
    return deal


def _shuffle_of(row: Mapping[str, Any]) -> str:
    for name, long in SHUFFLE_NAMES.items():
        if long == row["shuffle"]:
            return name
    raise SimulationError(f"the row cannot be read: its 'shuffle' is {row['shuffle']}")


def _dealt(rules: Ruleset, row: Mapping[str, Any]) -> tuple[list[int], int]:
    """The pack and the dealer that the row's seed and number give."""
    seed, number = int(row["seed"]), operator.index(row["number"])
    order = pack_order(rules.ints[PACK_CARDS])
    if _shuffle_of(row) == "exact":
        pack = shuffled(order, deal_label(seed, number))
    else:
        pack = list(order)
        shuffle_by_counter(key_of(seed), stream_of(number, SHUFFLE_STREAM), pack, len(pack))
    return pack, at.dealer_of(number, rules.ints[SEATS])


def _played_again(rules: Ruleset, row: Mapping[str, Any]) -> list[int]:
    players = tuple(row["players"].split(","))
    setting = Setting(rules.ints, int(row["seed"]), _shuffle_of(row), players, False, at.ROWS_AND_MOVES)
    played = play_part(setting, Part(row["number"], 1))
    return list(played.log[: played.moves])


__all__ = ["Folder", "FolderError", "Manifest", "reopen", "shard_name", "tokens"]
