# SPDX-License-Identifier: MIT
"""Reads from a machine file what a mesh needs: its parameters, and the points of the ground and of every body.

Only the subset of YAML that configs/ uses is understood (block maps, and points as one-line flow maps), so that the
script needs nothing but Python's own library. A number may be an expression of the parameters and may have a unit, as
the machine file's contract says; anything else is an error, never a guess.
"""
import ast
import math
import operator
import re

UNITS = {"deg": math.pi / 180, "rad": 1.0, "mm": 1e-3, "cm": 1e-2, "m": 1.0}
FUNCTIONS = {name: getattr(math, name) for name in "sin cos tan asin acos atan atan2 sqrt exp log".split()}
FUNCTIONS["abs"] = abs
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
             ast.Pow: operator.pow, ast.USub: operator.neg, ast.UAdd: operator.pos}
UNIT = re.compile(r"(?<=[\d.)])\s+(deg|rad|mm|cm|m)\b")
POINT = re.compile(r"(\w+):\s*\[([^\[\]]*)\]")


def evaluate(text, parameters):
    """The value of an expression; walks its syntax tree, so that nothing but arithmetic can happen."""
    source = UNIT.sub(lambda unit: f"*{UNITS[unit.group(1)]!r}", text).replace("^", "**")
    return walk(ast.parse(source.strip(), mode="eval").body, {"pi": math.pi, "e": math.e, **parameters}, text)


def walk(node, names, text):
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return float(node.value)
    if isinstance(node, ast.Name) and node.id in names:
        return names[node.id]
    if isinstance(node, ast.UnaryOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](walk(node.operand, names, text))
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](walk(node.left, names, text), walk(node.right, names, text))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS:
        return FUNCTIONS[node.func.id](*[walk(argument, names, text) for argument in node.args])
    raise ValueError(f"'{text}' is not an expression of the parameters")


def split_outside_parentheses(text):
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def lines_with_path(text):
    """Yields (keys from the outermost in, rest of the line) for each line of a block map."""
    path = []  # (indentation, key)
    for line in text.splitlines():
        line = line.split("#")[0].rstrip()
        match = re.match(r"( *)(\w+):(?: +(.*))?$", line)
        if not match:
            continue
        indentation = len(match.group(1))
        path = [entry for entry in path if entry[0] < indentation] + [(indentation, match.group(2))]
        yield [key for _, key in path], match.group(3) or ""


class Machine:
    """points['boom']['E'] is (x, y) in the boom's own frame, metres; points['ground'] in ground coordinates."""

    def __init__(self, path):
        self.path = path
        self.parameters = {}
        self.points = {}
        with open(path, encoding="utf-8") as file:
            entries = list(lines_with_path(file.read()))
        for keys, rest in entries:
            if keys[0] == "parameters" and len(keys) == 2:
                self.parameters[keys[1]] = self.value(rest)
        for keys, rest in entries:
            if keys[-1] == "points" and keys[:-1] == ["ground"] or keys[0] == "bodies" and keys[2:] == ["points"]:
                self.points[keys[-2]] = {name: self.point(xy) for name, xy in POINT.findall(rest)}

    def value(self, text):
        try:
            return evaluate(text, self.parameters)
        except (SyntaxError, ValueError) as error:
            raise SystemExit(f"{self.path}: {error}") from None

    def point(self, text):
        values = [self.value(part) for part in split_outside_parentheses(text)]
        if len(values) != 2:
            raise SystemExit(f"{self.path}: a point has two coordinates, not [{text}]")
        return tuple(values)
