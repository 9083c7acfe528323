"""Mutants of the core: every small change that :mod:`tests.mutate` makes to it, one at a time, to see a test fail.

A mutant is one node of a module's syntax tree replaced by another. Which replacements there are is said here, kind by
kind: operators, constants, branches, statements, seats, names of the same sort (another value of the same option,
another field of the state), and for the rows of ``narrowing`` what can be left out of a row or added to it.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType

PACKAGE = "variant_engine"
_RULES = Path(__file__).resolve().parents[1] / PACKAGE / "rules"
#: The modules that are mutated, by the names used in reports: every chapter of the rules, and what they rest on.
MODULES = (
    *(f"rules.{path.stem}" for path in sorted(_RULES.glob("*.py")) if path.stem != "__init__"),
    "engine",
    "games",
    "encoding",
    "narrowing",
)
#: Modules that decide what a ruleset's ints are, which are computed once and kept.
ENCODING = ("encoding", "narrowing")

#: Names that stand for a seat wherever the core uses them.
SEAT_NAMES = {
    "adversary", "claimer", "closer", "dealer", "first", "forehand", "high", "last_winner", "loser", "low", "other",
    "seat", "second", "winner",
}  # fmt: skip

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}

#: Where a node hangs: its parent, the parent's field, and the place in that field if it is a list.
Place = tuple[ast.AST, str, int | None]
#: What is put there, and what a report shows for it (an int is put in where a name might not be imported).
Replacement = tuple[ast.AST, ast.AST]


def _hang(place: Place, node: ast.AST) -> None:
    parent, field, index = place
    if index is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node


@dataclass(frozen=True)
class Mutant:
    """One change to one module. Its identity is what a reader sees: where it is and what becomes what."""

    source: Source
    function: str
    line: int
    change: str
    #: Whether it is about what the module does when it is imported, not about a function.
    whole: bool
    place: Place
    replacement: ast.AST

    @property
    def module(self) -> str:
        """The module's name in reports."""
        return self.source.module

    @property
    def home(self) -> str:
        """Module and function, the name under which a mutant is explained."""
        return f"{self.module}.{self.function}" if self.function else self.module

    @property
    def fresh(self) -> bool:
        """Whether the package must be imported anew to see it: what rests on the rows can be put right without that."""
        return self.whole and self.module != "narrowing"

    @property
    def key(self) -> tuple[str, str]:
        """What no other mutant has: where it is, and what becomes what."""
        return self.home, self.change

    def code(self) -> CodeType:
        """The whole module, changed and compiled."""
        parent, field, index = self.place
        before = getattr(parent, field) if index is None else getattr(parent, field)[index]
        _hang(self.place, self.replacement)
        try:
            return compile(self.source.tree, str(self.source.path), "exec", dont_inherit=True)
        finally:
            _hang(self.place, before)

    def put_in_place(self) -> None:
        """Give the function, which has been imported already, its changed code; or the module its changed rows."""
        target: object = import_module(f"{PACKAGE}.{self.module}")
        if self.whole:
            _rebind(target, self.code())
            return
        for name in self.function.split("."):
            target = vars(target)[name]
        function = target.fget if isinstance(target, property) else target
        assert isinstance(function, FunctionType)
        function.__code__ = _function_code(self.code(), function.__code__.co_qualname)


def _rebind(module: object, code: CodeType) -> None:
    """Run a module's changed code, and give what comes of it to all who have imported it by name."""
    before = dict(vars(module))
    after = {name: before[name] for name in ("__name__", "__package__", "__file__", "__spec__")}
    exec(code, after)
    own = {name for name in after if not name.startswith("__")}
    for name, other in list(sys.modules.items()):
        if name.split(".")[0] in (PACKAGE, "tests"):
            held = vars(other)
            for each in own & held.keys():
                if held[each] is before[each]:
                    held[each] = after[each]


def _function_code(code: CodeType, name: str) -> CodeType:
    waiting = [code]
    while waiting:
        within = [each for each in waiting.pop().co_consts if isinstance(each, CodeType)]
        for each in within:
            if each.co_qualname == name:
                return each
        waiting += within
    raise LookupError(name)


# ---- names of the same sort ---------------------------------------------------------------------------------------


class Names:
    """Names that could be mistaken for each other: for each, the others and their values."""

    def __init__(self) -> None:
        self._others: dict[tuple[str, str], list[tuple[str, int]]] = {}
        self._declare()

    def others(self, module: str, name: str) -> list[tuple[str, int]]:
        """The names (and values) that can take the place of one that a module defines."""
        return self._others.get((module, name), [])

    def _group(self, module: str, names: Sequence[str], *, only_next: bool = False) -> None:
        values = vars(import_module(f"{PACKAGE}.{module}"))
        names = [name for name in names if isinstance(values[name], int)]
        for at, name in enumerate(names):
            others = [names[(at + 1) % len(names)]] if only_next else [other for other in names if other != name]
            self._others[module, name] = [(other, values[other]) for other in others]

    def _declare(self) -> None:
        # Values of one option: every other one. Options themselves: the next one of the chapter.
        for chapter in ("deal", "play", "marriage", "exchange", "closing", "ending"):
            module = f"options.{chapter}"
            options: list[str] = []
            for values, is_range in _tuples_of_names(module):
                if is_range:
                    self._group(module, values)
                else:
                    options += values
            self._group(module, options, only_next=True)
        self._group("phases", ("OPEN", "CLOSED", "EXHAUSTED"))
        self._group("phases", ("LEAD", "ANNOUNCED", "ANSWER", "BEFORE_DRAW", "OFFER", "OVER"), only_next=True)
        for values, is_range in _tuples_of_names("phases"):
            if is_range and values[0] != "OPEN":
                self._group("phases", values, only_next=True)
        for values, is_range in _tuples_of_names("reasons"):
            if is_range:
                self._group("reasons", values, only_next=True)
        self._group("cards", ("NINE", "JACK", "QUEEN", "KING"), only_next=True)
        self._group("cards", ("QUEENS", "KINGS"))
        self._group("encoding", ("MUST_FOLLOW", "MUST_HEAD", "MUST_RUFF"))
        offsets = ("SEATS", "PACK", "EXCHANGE_PLACE", "COUNTS", "BEATEN_BY", "DUTIES", "ADMITS", "ADMITS_OTHERS")
        self._group("encoding", offsets, only_next=True)
        self._group("rules.ending", ("PLAIN", "SCHNEIDER", "SCHWARZ"))
        state = vars(import_module(f"{PACKAGE}.state"))
        not_fields = ("_", "BY_", "MAX_")
        fields = {name: value for name, value in state.items() if name.isupper() and not name.startswith(not_fields)}
        first = state["_SEAT_FIELDS"]
        scalars = [name for name, value in fields.items() if value < first]
        self._group("state", scalars, only_next=True)
        seats = [name for name, value in fields.items() if first <= value < state["TALON_CARDS"]]
        self._group("state", seats, only_next=True)
        for values, is_range in _tuples_of_names("state"):
            if is_range:
                self._group("state", values, only_next=True)


def _tuples_of_names(module: str) -> Iterator[tuple[list[str], bool]]:
    """The constants that a module assigns, those of one statement together, and whether they count up a range."""
    tree = ast.parse(Path(str(import_module(f"{PACKAGE}.{module}").__file__)).read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            target = node.targets[0]
            names = [each.id for each in (target.elts if isinstance(target, ast.Tuple) else [target])
                     if isinstance(each, ast.Name)]  # fmt: skip
            if all(name.isupper() for name in names):
                called = node.value.func
                yield names, isinstance(called, ast.Name) and called.id == "range"


# ---- the mutants of a module --------------------------------------------------------------------------------------


class Source:
    """A module's syntax tree, and all mutants of it."""

    def __init__(self, root: Path, module: str, names: Names) -> None:
        self.module = module
        self.path = root / PACKAGE / (module.replace(".", "/") + ".py")
        self.tree = ast.parse(self.path.read_text(encoding="utf-8"))
        self.names = names
        self.imported: dict[str, tuple[str, str]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom) and node.level:
                home = (node.module or "") if node.level == 2 or "." not in module else f"rules.{node.module}"
                for alias in node.names:
                    self.imported[alias.asname or alias.name] = (home, alias.name)

    @cached_property
    def mutants(self) -> list[Mutant]:
        """Every mutant once, in the order of the source; those that read the same are numbered."""
        found: list[Mutant] = []
        seen: Counter[tuple[str, str]] = Counter()
        done: set[tuple[str, int, str]] = set()
        for place, chain, function, body in self._nodes():
            for replacement, shown in self._replacements(place, chain):
                for new in (replacement, shown):
                    ast.fix_missing_locations(ast.copy_location(new, chain[-1]))
                before, after, statement = self._texts(place, chain, shown)
                if before == after:
                    continue
                change = f"{before} => {after}"
                # The same change by two ways (a branch's value, a constant) is one mutant.
                whole = self._statement_text(place, statement, replacement)
                if (function, id(statement), whole) in done:
                    continue
                done.add((function, id(statement), whole))
                seen[function, change] += 1
                number = seen[function, change]
                line = getattr(chain[-1], "lineno", getattr(place[0], "lineno", 0))
                found.append(
                    Mutant(
                        self, function, line, change if number == 1 else f"{change} #{number}",
                        not body, place, replacement,
                    )
                )  # fmt: skip
        return found

    def _nodes(self) -> Iterator[tuple[Place, list[ast.AST], str, bool]]:
        """Each node that may be replaced: its place, the chain of nodes down to it, the function, and if in a body."""

        def walk(node: ast.AST, chain: list[ast.AST], name: str, body: bool) -> Iterator[
            tuple[Place, list[ast.AST], str, bool]
        ]:  # fmt: skip
            for field, value in ast.iter_fields(node):
                if field in ("annotation", "returns", "decorator_list", "type_params", "ctx"):
                    continue
                inside = body or (isinstance(node, ast.FunctionDef) and field == "body")
                children = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
                for index, child in children:
                    if not isinstance(child, ast.AST) or _is_text(child):
                        continue
                    if isinstance(child, ast.Import | ast.ImportFrom | ast.JoinedStr):
                        continue
                    down = [*chain, child]
                    yield (node, field, index), down, name, inside
                    if self.module == "narrowing" and _assigns(child) == "NARROWINGS":
                        continue
                    below = name
                    if isinstance(child, ast.FunctionDef | ast.ClassDef) and not inside:
                        below = f"{name}.{child.name}" if name else child.name
                    yield from walk(child, down, below, inside)

        yield from walk(self.tree, [self.tree], "", False)
        if self.module == "narrowing":
            yield from self._rows()

    def _rows(self) -> Iterator[tuple[Place, list[ast.AST], str, bool]]:
        for statement in self.tree.body:
            if isinstance(statement, ast.AnnAssign) and _assigns(statement) == "NARROWINGS":
                assert isinstance(statement.value, ast.Tuple)
                for index, row in enumerate(statement.value.elts):
                    chain: list[ast.AST] = [self.tree, statement, statement.value, row]
                    yield (statement.value, "elts", index), chain, "NARROWINGS", False

    def _texts(self, place: Place, chain: list[ast.AST], shown: ast.AST) -> tuple[str, str, ast.AST]:
        """What a reader sees of a change: a piece of source large enough to know it by, before and after."""
        statement = next(node for node in reversed(chain) if isinstance(node, ast.stmt) or node is self.tree)
        at = chain[-1]
        top = at
        for node in reversed(chain[:-1]):
            if isinstance(top, ast.stmt) or len(_text(top)) >= 12 or isinstance(node, ast.Module | ast.stmt):
                break
            if isinstance(node, ast.expr | ast.comprehension | ast.keyword):
                top = node
        before = _text(top)
        if top is at:
            return before, _text(shown), statement
        _hang(place, shown)
        after = _text(top)
        _hang(place, at)
        return before, after, statement

    def _statement_text(self, place: Place, statement: ast.AST, replacement: ast.AST) -> str:
        parent, field, index = place
        before = getattr(parent, field) if index is None else getattr(parent, field)[index]
        if before is statement:
            return ast.dump(replacement)
        _hang(place, replacement)
        text = ast.dump(statement) if isinstance(statement, ast.stmt) else ""
        _hang(place, before)
        return text

    # ---- replacements, by kind of node ----------------------------------------------------------------------------

    def _replacements(self, place: Place, chain: list[ast.AST]) -> Iterator[Replacement]:
        node = chain[-1]
        function = next((each for each in reversed(chain) if isinstance(each, ast.FunctionDef)), None)
        if isinstance(node, ast.Call) and place[1] == "elts" and _called(node) == "Narrowing":
            yield from self._row_replacements(node)
            return
        for new in (*_of_expression(node, place), *_of_statement(node, function)):
            yield new, new
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield from self._of_name(node, place, function)
        if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load) and function is None and len(node.elts) > 1:
            for at in range(len(node.elts) - 1):
                items = list(node.elts)
                items[at : at + 2] = [items[at + 1], items[at]]
                swapped = ast.Tuple(items, ast.Load())
                yield swapped, swapped
        if isinstance(node, ast.Dict) and function is None:
            for at in range(len(node.keys)):
                less = ast.Dict(node.keys[:at] + node.keys[at + 1 :], node.values[:at] + node.values[at + 1 :])
                yield less, less

    def _of_name(self, node: ast.Name, place: Place, function: ast.FunctionDef | None) -> Iterator[Replacement]:
        if place[1] == "func":
            if node.id in _CALLS:
                other = ast.Name(_CALLS[node.id], ast.Load())
                yield other, other
            return
        if node.id.strip("_").isupper():
            home, name = self.imported.get(node.id, (self.module, node.id))
            for other_name, value in self.names.others(home, name):
                yield _number(value), ast.Name(other_name, ast.Load())
        elif node.id in SEAT_NAMES and function is not None and self.module != "narrowing":
            across = ast.BinOp(_number(1), ast.Sub(), ast.Name(node.id, ast.Load()))
            yield across, across

    def _row_replacements(self, row: ast.Call) -> Iterator[Replacement]:
        """Rows are rules: the row left out; a value, phase or state of the talon left out or added; for other seats."""
        values = vars(import_module(f"{PACKAGE}.narrowing"))
        phases = vars(import_module(f"{PACKAGE}.phases"))
        table = phases["TABLE"]
        arguments = dict(zip(("option", "values", "kind", "reason", "phases", "talons"), row.args, strict=False))
        arguments |= {str(keyword.arg): keyword.value for keyword in row.keywords}
        kind = values[_name(arguments["kind"])]

        def changed(field: str, value: ast.expr, text: str = "") -> Replacement:
            order = arguments | {field: value}
            new = ast.Call(row.func, [], [ast.keyword(name, value) for name, value in order.items()])
            return new, ast.Name(f"{field}={text or _text(value)}", ast.Load())

        # A row that names no value never applies: as good as no row.
        yield changed("values", _tuple(()), "()")
        home, _ = self.imported[_name(arguments["option"])]
        held = arguments["values"]
        assert isinstance(held, ast.Tuple)
        names = [_name(each) for each in held.elts]
        if len(names) > 1:
            for name in names:
                yield changed("values", _tuple([other for other in names if other != name]))
        for other, value in self.names.others(home, self.imported[names[0]][1]):
            if other not in names and other not in {self.imported[name][1] for name in names}:
                more = ast.Tuple([*held.elts, _number(value)], ast.Load())
                yield changed("values", more, _text(_tuple([*names, other])))
        for field, every in (
            ("phases", ("LEAD", "ANNOUNCED", "ANSWER", "BEFORE_DRAW", "OFFER")),
            ("talons", ("OPEN", "CLOSED", "EXHAUSTED")),
        ):
            at = 0 if field == "phases" else 1
            # Only where the table has such a move at all; elsewhere a row bars nothing.
            there = [
                name
                for name in every
                if any(place[at] == values[name] and kind in entries for place, entries in table.items())
            ]
            given = arguments.get(field)
            now = [_name(each) for each in given.elts] if isinstance(given, ast.Tuple) else list(every)
            for name in there:
                after = [other for other in every if (other in now) != (other == name)]
                if after:
                    yield changed(field, _tuple(after))
        by = _name(arguments["by"]) if "by" in arguments else "ANYONE"
        for other in ("MOVER", "OTHERS", "ANYONE"):
            if other != by:
                yield changed("by", ast.Name(other, ast.Load()))
        for field in ("option", "kind", "reason"):
            place, name = self.imported[_name(arguments[field])]
            for other, value in self.names.others(place, name):
                yield changed(field, _number(value), other)


def _of_expression(node: ast.AST, place: Place) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare):
        for at, operator in enumerate(node.ops):
            for other in _COMPARISONS.get(type(operator), ()):
                operators = list(node.ops)
                operators[at] = other()
                yield ast.Compare(node.left, operators, node.comparators)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        for at in range(len(node.values)):
            left = node.values[:at] + node.values[at + 1 :]
            yield left[0] if len(left) == 1 else ast.BoolOp(node.op, left)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        yield ast.BinOp(node.left, _OPERATORS[type(node.op)](), node.right)
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield ast.Constant(not node.value)
        elif isinstance(node.value, int):
            # Among whole numbers x < 3 and x <= 2 are the same, and the operator is changed anyway.
            compared = place[0].ops[0] if isinstance(place[0], ast.Compare) and place[1] == "comparators" else None
            if not isinstance(compared, ast.Lt | ast.GtE):
                yield _number(node.value + 1)
            if not isinstance(compared, ast.LtE | ast.Gt):
                yield _number(node.value - 1)
    elif isinstance(node, ast.IfExp):
        yield node.body
        yield node.orelse
    elif isinstance(node, ast.Call) and _called(node) == "next_seat":
        yield node.args[1]
    if isinstance(node, ast.expr) and place[1] == "test" and isinstance(place[0], ast.If | ast.While):
        yield ast.Constant(False)
        if isinstance(place[0], ast.If):
            yield ast.Constant(True)
    if isinstance(node, ast.expr) and place[1] == "ifs":
        yield ast.Constant(True)


def _of_statement(node: ast.AST, function: ast.FunctionDef | None) -> Iterator[ast.AST]:
    if isinstance(node, ast.AugAssign):
        if type(node.op) in _OPERATORS:
            yield ast.AugAssign(node.target, _OPERATORS[type(node.op)](), node.value)
        # What is added to nothing might as well be assigned: only where something has been added before.
        if isinstance(node.target, ast.Subscript) or (function is not None and _adds_before(function, node)):
            yield ast.Assign([node.target], node.value)
        yield ast.Pass()
    elif isinstance(node, ast.Assign) and function is not None:
        target = node.targets[0]
        # Without its only assignment a name would not be there at all, which any test would notice.
        if isinstance(target, ast.Subscript) or (
            isinstance(target, ast.Name) and _assignments(function, target.id) > 1
        ):
            yield ast.Pass()
    elif isinstance(node, ast.Raise) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        yield ast.Pass()
    elif isinstance(node, ast.Return) and function is not None:
        returns = _name(function.returns) if isinstance(function.returns, ast.Name) else ""
        if node.value is None:
            yield ast.Pass()
        elif returns == "bool":
            yield ast.Return(ast.UnaryOp(ast.Not(), node.value))
        elif returns == "int":
            yield ast.Return(_number(0))
            yield ast.Return(ast.BinOp(node.value, ast.Add(), _number(1)))
        elif not isinstance(node.value, ast.Constant):
            yield ast.Return(ast.Constant(None))


# ---- small things -------------------------------------------------------------------------------------------------


def _number(value: int) -> ast.expr:
    return ast.UnaryOp(ast.USub(), ast.Constant(-value)) if value < 0 else ast.Constant(value)


def _tuple(names: Sequence[str]) -> ast.Tuple:
    return ast.Tuple([ast.Name(name, ast.Load()) for name in names], ast.Load())


def _name(node: ast.AST) -> str:
    assert isinstance(node, ast.Name)
    return node.id


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _assigns(node: ast.AST) -> str:
    return node.target.id if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) else ""


def _is_text(node: ast.AST) -> bool:
    """A docstring, or any other constant text that stands by itself."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _assignments(function: ast.FunctionDef, name: str) -> int:
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == name]
    return sum(isinstance(each.ctx, ast.Store) for each in names)


def _adds_before(function: ast.FunctionDef, node: ast.AugAssign) -> bool:
    """Whether something has been added to the same name when this statement is reached: not in another branch."""
    others = {
        id(each)
        for branch in ast.walk(function)
        if isinstance(branch, ast.If)
        for here, there in ((branch.body, branch.orelse), (branch.orelse, branch.body))
        if any(within is node for each in here for within in ast.walk(each))
        for other in there
        for each in ast.walk(other)
    }
    return any(
        isinstance(each, ast.AugAssign) and _text(each.target) == _text(node.target) and each.lineno < node.lineno
        for each in ast.walk(function)
        if id(each) not in others
    )


def _text(node: ast.AST) -> str:
    """The source of a node on one line; of a compound statement only its head."""
    if isinstance(node, ast.Call) and _called(node) == "Narrowing" and len(node.args) >= 3:
        return f"row {_text(node.args[0])} {_text(node.args[1])} {_text(node.args[2])}"
    if isinstance(node, ast.comprehension):
        return f"for {_text(node.target)} in {_text(node.iter)}" + "".join(f" if {_text(each)}" for each in node.ifs)
    if isinstance(node, ast.If | ast.While):
        return f"{type(node).__name__.lower()} {_text(node.test)}"
    return " ".join(ast.unparse(node).split())


def all_mutants(root: Path, modules: Sequence[str] = MODULES) -> list[Mutant]:
    """All mutants of some modules of the project in a folder."""
    names = Names()
    return [mutant for module in modules for mutant in Source(root, module, names).mutants]
