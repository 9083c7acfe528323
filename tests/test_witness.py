"""Witnesses: each is replayed under both rulesets; the exhaustive search is held against going through every pack."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest
from typer.testing import CliRunner

import variant_engine as ve
from cli.main import app
from tests.strategies import shipped
from variant_engine import record
from variant_engine.compare.cutproof import _packs, cut_proof
from variant_engine.compare.directed import witnesses
from variant_engine.compare.exhaustive import Exhaustive
from variant_engine.compare.lazy import deal_alike
from variant_engine.compare.lockstep import counted, dealt, parting
from variant_engine.compare.shrink import Found, Shrinker
from variant_engine.compare.story import tell
from variant_engine.compare.witness import (
    LOCAL,
    SMALLEST,
    NoWitness,
    Witness,
    bearing,
    find_witness,
)
from variant_engine.compare.witness_record import witness_records, write_records
from variant_engine.differing import ALL_MOVES
from variant_engine.encoding import Rules
from variant_engine.engine import legal, play
from variant_engine.options import OPTIONS
from variant_engine.phases import BEFORE_DRAW, DRAW_MOVE, OVER
from variant_engine.ruleset import Ruleset, RulesetError, UnknownOption
from variant_engine.state import PHASE, State

IDS = tuple(rules.id for rules in shipped())
TEXTS = tuple(rules.id for rules in shipped() if rules.source is not None and rules.source.type == "text")


def replayed(witness: Witness) -> None:
    """Play the witness under both rulesets through the public table and see that it does what it says."""
    one, two = witness.deals
    assert [str(move) for _, move in one.history] or not witness.moves
    assert len(one.history) == len(two.history) == len(witness.moves)
    if witness.kind == "result":
        assert one.over
        assert two.over
        results = one.result, two.result
        assert results[0] is not None
        assert results[1] is not None
        assert len({(r.winner, r.game_points, r.carry) for r in results if r is not None}) == 2
        return
    allows = witness.deals[witness.allowed_by]
    refuses = witness.deals[1 - witness.allowed_by]
    token = witness.token
    assert allows.why_not(token) is None
    assert refuses.why_not(token) is not None
    with pytest.raises(ve.IllegalMove):
        refuses.play(token)


def recorded(witness: Witness) -> None:
    """The records of both sides are read and hold."""
    for side, text in enumerate(witness_records(witness)):
        read = record.read(text)
        assert record.write(read) == text
        played = record.check(read)
        assert [problem for one in played for problem in one.problems] == []
        assert len(played[0].steps) == len(witness.ended(side).history)


# ---- pairs of whole rulesets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("one", "two"), list(permutations(IDS, 2)))
def test_every_pair(one: str, two: str) -> None:
    first, second = ve.load(one), ve.load(two)
    found = find_witness(first, second)
    if isinstance(found, NoWitness):
        assert not bearing(first, second)
        assert found.same
        assert found.proved
        return
    assert found == find_witness(first, second)
    told = tell(found)
    assert all(side.rules for side in told.sides)
    json.dumps(found.as_json())
    if found.kind != "pack":
        replayed(found)
        recorded(found)
        assert found.method == SMALLEST


def test_one_text_in_two_translations() -> None:
    found = find_witness(ve.load("app-af"), ve.load("app-it"))
    assert isinstance(found, NoWitness)
    assert "no difference found" in found.sentence


def test_the_deciding_option_is_named() -> None:
    found = find_witness(ve.load("foster"), ve.load("handbook"))
    assert isinstance(found, Witness)
    assert found.options == ("closing_first_lead",)
    assert found.token == "A:|"
    assert found.length == 0
    assert "closing_first_lead = allowed, rulesets/foster.yaml:" in tell(found).sides[0].rules[0]
    assert "¶" in tell(found).sides[0].rules[0]


# ---- single options ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "length", "kind"),
    [
        ("head_closed", 2, "move"),
        ("marriage_unled", 1, "move"),
        ("marriage_closed", 1, "move"),
        ("exchange_when", 3, "move"),
        ("look_back", 2, "move"),
    ],
)
def test_single_options(option: str, length: int, kind: str) -> None:
    found = find_witness(ve.load("foster"), ve.load("app-af"), option)
    assert isinstance(found, Witness)
    assert (found.length, found.kind, found.method) == (length, kind, SMALLEST)
    assert found.options == (option,)
    replayed(found)
    recorded(found)


def test_a_long_witness_is_a_local_minimum() -> None:
    found = find_witness(ve.load("foster"), ve.load("app-af"), "head_exhausted", steps=500)
    assert isinstance(found, Witness)
    assert found.method == LOCAL
    # Nobody need close or announce, but the talon must be gone.
    assert found.length == 13
    assert "Local minimum of 13 moves" in tell(found).method
    replayed(found)
    recorded(found)


def test_a_carried_game_point_is_given_where_it_takes_one() -> None:
    foster = ve.load("foster")
    found = find_witness(foster, foster.replace(tie_carry="one_each"), "tie_carry", steps=100)
    assert isinstance(found, Witness)
    assert (found.carry, found.kind) == (1, "result")
    replayed(found)
    recorded(found)


def test_an_option_that_needs_another() -> None:
    found = find_witness(ve.load("handbook"), ve.load("foster"), "look_back_price", steps=6000)
    assert isinstance(found, Witness)
    assert found.names[1] == "foster"


def test_nothing_is_found_where_there_is_nothing() -> None:
    found = find_witness(ve.load("handbook"), ve.load("foster"), "marriage_counts", deals=60, steps=300)
    assert isinstance(found, NoWitness)
    assert found.proof is not None
    assert found.proof.proves
    assert found.proved
    assert "60 seeded deals" in found.sentence
    same = find_witness(ve.load("handbook"), ve.load("foster"), "last_trick_bonus")
    assert isinstance(same, NoWitness)
    assert same.same
    with pytest.raises(UnknownOption):
        find_witness(ve.load("handbook"), ve.load("foster"), "nothing")


def test_the_smaller_of_both_directions_counts() -> None:
    foster, article = ve.load("foster"), ve.load("howto-no")
    there = find_witness(foster, article, "look_back_price", steps=6000)
    back = find_witness(article, foster, "look_back_price", steps=6000)
    assert isinstance(there, Witness)
    assert isinstance(back, Witness)
    alone = find_witness(foster, foster.replace(look_back_price=article["look_back_price"]), steps=6000)
    assert isinstance(alone, Witness)
    assert there.size == back.size < alone.size
    assert there.names == ("howto-no with look_back_price of foster", "howto-no")
    replayed(there)


def test_a_long_deal_has_no_declaration_that_cards_do_without() -> None:
    found = find_witness(ve.load("foster"), ve.load("handbook"), "tie_carry", steps=100)
    assert isinstance(found, Witness)
    # The deal is played out, and nothing is announced, closed or claimed.
    assert found.size == (0, 24, 0)
    assert found == find_witness(ve.load("foster"), ve.load("handbook"), "tie_carry", steps=100)
    replayed(found)


@pytest.mark.slow
@pytest.mark.parametrize(("one", "two"), list(permutations(TEXTS, 2)))
def test_every_option_of_every_pair(one: str, two: str) -> None:
    first, second = ve.load(one), ve.load(two)
    for option in bearing(first, second):
        found = find_witness(first, second, option, steps=4000)
        if isinstance(found, Witness):
            replayed(found)
            if found.kind != "pack":
                recorded(found)


# ---- the searches themselves ---------------------------------------------------------------------------------------


def fewest_moves(one: Rules, two: Rules, deepest: int) -> int | None:
    """The fewest moves after which two rulesets part, by going through every pack with every card in its place."""
    best: list[int] = []

    def go(here: State, there: State, depth: int) -> None:
        if best and depth >= best[0]:
            return
        if parting(one, here, two, there) is not None:
            best[:] = [depth]
            return
        if here[PHASE] == OVER or (depth >= deepest and here[PHASE] != BEFORE_DRAW):
            return
        for seat in (0, 1):
            mask = legal(one, here, seat) & ALL_MOVES
            for move in range(mask.bit_length()):
                after = depth + (move != DRAW_MOVE)
                if mask >> move & 1 and after <= deepest:
                    mine, theirs = here[:], there[:]
                    play(one, mine, seat, move)
                    play(two, theirs, seat, move)
                    go(mine, theirs, after)

    for pack in _packs(one):
        go(dealt(one, pack, 1, 0), dealt(two, pack, 1, 0), 0)
    return best[0] if best else None


def small_pairs(every: bool) -> list[tuple[str, Ruleset, Ruleset]]:
    """Rulesets and the same with one answer changed, cut down to six cards.

    The answers are those of other texts, or with ``every`` all there are, of numbers some.
    """
    pairs: dict[tuple[Rules, Rules], tuple[str, Ruleset, Ruleset]] = {}
    for base in shipped():
        for option in OPTIONS:
            if option.affects not in ("play", "score"):
                continue
            value = base[option.name]
            for answer in option.answers() if every else {rules[option.name] for rules in shipped()}:
                if every and isinstance(answer, int) and abs(answer - int(value)) not in (1, 5):
                    continue
                ranks = "KQJ" if base["exchange_card"] == "jack" else "KQ9"
                try:
                    one, two = (
                        ve.cut_down(rules, suits=2, ranks=ranks, hand=2, marriages=True)
                        for rules in (base, base.replace(**{option.name: answer}))
                    )
                except RulesetError:
                    continue
                if one.ints != two.ints and deal_alike(one.ints, two.ints):
                    pairs.setdefault((one.ints, two.ints), (f"{base.id} {option.name}={answer}", one, two))
    return list(pairs.values())


@pytest.mark.parametrize(("deepest", "every"), [(2, False), pytest.param(4, True, marks=pytest.mark.slow)])
def test_exhaustive_search_misses_nothing(deepest: int, every: bool) -> None:
    pairs = small_pairs(every)
    assert len(pairs) > 60
    for name, one, two in pairs:
        search = Exhaustive(one.ints, two.ints, 400_000)
        found, ruled_out = search.search(deepest)
        length = None if found is None else counted(found[1].moves)
        assert length == fewest_moves(one.ints, two.ints, deepest), name
        known = deepest if length is None else length - 1
        # With so few cards a hand cannot always be filled up; then less is claimed, never more.
        assert ruled_out == known or (ruled_out < known and not search.complete), name


def test_shrinking_keeps_what_it_shrinks() -> None:
    foster = ve.load("foster")
    changed = foster.replace(head_exhausted="required")
    shrinker = Shrinker(foster.ints, changed.ints)
    for number, (_, pack, carry, course) in enumerate(witnesses(foster.ints, changed.ints, 200)):
        found = Found(tuple(pack), carry, course)
        shrunk = shrinker.shrunk(found)
        assert shrunk.size <= found.size
        assert shrinker.tried(shrunk.pack, shrunk.carry, shrunk.course.moves) == shrunk
        polished = shrinker.polished(shrunk)
        assert polished.key <= shrunk.key
        if number == 4:
            break


def test_a_proof_that_finds_a_difference_says_so() -> None:
    foster = ve.load("foster")
    proof = cut_proof(foster, foster.replace(marriage_trick="needed"))
    assert proof is not None
    assert proof.parts
    assert not proof.proves
    assert "they part there" in proof.sentence


# ---- the command ---------------------------------------------------------------------------------------------------


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, arguments)
    return result.exit_code, result.stdout


def test_the_command_tells_a_story() -> None:
    code, text = run("witness", "foster", "app-af")
    assert code == 0
    for part in ("B deals, A leads", "A leads SK", "A:+40S", "marriage_late = until_answered", "¶26.4", "Smallest"):
        assert part in text
    code, text = run("witness", "foster", "app-af", "--json")
    assert code == 0
    data = json.loads(text)
    assert data["moves"] == ["A:SK"]
    assert data["move"] == "A:+40S"
    assert data["allowed_by"] == "foster"
    assert data["options"]["marriage_late"]["app-af"]["where"]


def test_the_command_without_a_witness() -> None:
    code, text = run("witness", "app-af", "app-it")
    assert code == 1
    assert "no difference found" in text
    code, text = run("witness", "app-af", "app-it", "--json")
    assert code == 1
    assert json.loads(text)["found"] is False


def test_the_command_writes_records(tmp_path: Path) -> None:
    folder = tmp_path / "deals"
    code, text = run("witness", "foster", "handbook", "--option", "closing_draw", "--record", str(folder))
    assert code == 0
    names = ["foster-handbook-closing_draw.1.p66", "foster-handbook-closing_draw.2.p66"]
    assert sorted(path.name for path in folder.iterdir()) == names
    for name in names:
        assert name in text
        assert run("replay", str(folder / name))[0] == 0


def test_records_are_not_overwritten_unasked(tmp_path: Path) -> None:
    ask = ("witness", "foster", "handbook", "--option", "closing_draw", "--record", str(tmp_path))
    second = tmp_path / "foster-handbook-closing_draw.2.p66"
    second.write_text("mine", "utf-8")
    page = tmp_path / "deal.html"
    result = CliRunner().invoke(app, [*ask, "-o", str(page)])
    assert result.exit_code == 2
    assert f"'{second}' is there already; --force overwrites it" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == [second.name]
    assert second.read_text("utf-8") == "mine"
    code, text = run(*ask, "--force", "-o", str(page))
    assert code == 0
    assert f"written: {page}\nfoster and foster with closing_draw of handbook: after " in text
    assert len(list(tmp_path.iterdir())) == 3
    assert run("replay", str(second))[0] == 0


def test_bad_input(tmp_path: Path) -> None:
    assert run("witness", "foster")[0] == 2
    assert run("witness", "foster", "nobody")[0] == 2
    assert run("witness", "foster", "handbook", "--option", "nothing")[0] == 2
    broken = tmp_path / "broken.yaml"
    broken.write_text("format: 1\nid: broken\n", encoding="utf-8")
    assert run("witness", "foster", str(broken))[0] == 2
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    assert run("witness", "foster", "handbook", "--record", str(file))[0] == 2
    assert run("witness", "foster", "handbook", "--record", str(tmp_path / "a" / "b"))[0] == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.yaml", "file"]


def test_records_of_different_packs_are_refused() -> None:
    found = find_witness(ve.load("foster"), ve.load("schnapsen-vu"))
    assert isinstance(found, Witness)
    assert found.kind == "pack"
    with pytest.raises(ValueError, match="different cards"):
        write_records(found, "nowhere")
