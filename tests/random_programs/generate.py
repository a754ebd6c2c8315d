"""Makes random programs of the language: always the same one from the same seed.

Values stay exact in the type of the program (whole numbers and halves, bounded), so that the order in
which a machine adds them up cannot matter, and `any` only occurs where all choices are equal.
"""

import random

from program import Program, Step, Tensor

FORMATS = {
    1: ["Dense", "CU", "Dense"],
    2: ["Dense", "CSR", "CSR", "CSC", "COO", "DCSR", "D, CU", "CU, CU"],
    3: ["Dense", "CSF", "COO", "D, CU, CU", "CU, CU, CU", "D, D, CU"],
}
RARE_FORMATS = {
    1: ["D"],
    2: ["DCSC", "ELL", "BCSR", "CSB", "ModeGeneric", "CN, S", "CU, D"],
    3: ["ModeGeneric", "CN, S, S", "D, CN, S"],
}
LARGEST = {"double": 2.0**40, "float": 2.0**20, "int": 2.0**28}
FOLDS = ["+", "+", "+", "min", "max", "|", "&", "*"]
MULTIPLIES = ["*", "*", "+", "-", "min", "max", "first", "second", "pair", "|", "&"]
ELEMENTWISE = ["+", "+", "-", ".*", ".*", "@(min)", "@(max)", "@(first)", "@(second)", "@(pair)",
               "@(|)", "@(&)", "@(+)", "@(*)"]


class Value:
    """An expression with its labels and the names in it."""

    def __init__(self, text, labels, uses, bound, simple=False, shared=frozenset()):
        self.text, self.labels, self.uses, self.bound = text, labels, uses, bound
        self.simple = simple  # needs no parentheses
        self.shared = shared  # labels that a product keeps only because its target has them

    def inside(self):
        return self.text if self.simple else f"({self.text})"


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.type = self.random.choice(["double", "double", "float", "int"])
        self.limit = LARGEST[self.type]
        self.sizes = {d: self.random.choice([0, 1, 1, 2, 3, 4, 5, 6, 7, 8]) for d in "abc"}
        self.open_sizes = {d for d, size in self.sizes.items()
                           if size == 0 or self.random.random() < 0.5}
        self.tensors, self.scalars, self.functions = [], [], {}
        self.assigned = set()
        self.names = 0

    def chance(self, probability):
        return self.random.random() < probability

    def fresh(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    # --- tensors ---

    def labels_for(self, dimensions):
        """Different labels, at random among those of each dimension."""
        labels = []
        for d in dimensions:
            labels.append(self.random.choice([f"{d}{k}" for k in range(3)
                                              if f"{d}{k}" not in labels]))
        return labels

    def declare(self, dimensions, letter, entries=None):
        # The first label of a dimension is read before anything needs its size.
        counts, labels = {}, []
        for d in dimensions:
            labels.append(f"{d}{counts.get(d, 0)}")
            counts[d] = counts.get(d, 0) + 1
        type_ = self.type if self.chance(0.95) else "double"
        formats = RARE_FORMATS if self.chance(0.06) else FORMATS
        tensor = Tensor(self.fresh(letter), type_,
                        self.random.choice(formats[len(dimensions)]), labels,
                        [self.sizes[d] for d in dimensions], entries)
        self.tensors.append(tensor)
        return tensor

    def add_input(self):
        dimensions = [self.random.choice("abc") for _ in range(self.random.choice([1, 1, 2, 2, 2, 3]))]
        shape = [self.sizes[d] for d in dimensions]
        density = self.random.choice([0, 0.1, 0.3, 0.3, 0.5, 0.8, 1])
        places = [()]
        for size in shape:
            places = [at + (c,) for at in places for c in range(size)]
        entries = {at: self.random.choice([-2, -1, 0, 1, 1, 2, 3]) for at in places
                   if self.chance(density)}
        tensor = self.declare(dimensions, "A", entries)
        tensor.bound = 3
        self.assigned.add(tensor.name)

    def readable(self):
        return [tensor for tensor in self.tensors if tensor.name in self.assigned]

    # --- expressions ---

    def access(self, tensor, labels):
        return Value(f"{tensor.name}[{', '.join(labels)}]", labels, {tensor.name}, tensor.bound, True)

    def diagonal(self):
        """A tensor with two dimensions of one kind read at one label for both, or None."""
        fitting = [t for t in self.readable() if len(set(t.dimensions())) < len(t.dimensions())]
        if not fitting:
            return None
        tensor = self.random.choice(fitting)
        labels = [f"{d}0" for d in tensor.dimensions()]
        value = self.access(tensor, labels)
        value.labels = list(dict.fromkeys(labels))
        return value

    def access_with(self, labels):
        """A tensor read at exactly these labels in some order, or None."""
        wanted = sorted(label[0] for label in labels)
        fitting = [t for t in self.readable() if sorted(t.dimensions()) == wanted]
        if not fitting:
            return None
        tensor = self.random.choice(fitting)
        free, order = list(labels), []
        for d in tensor.dimensions():
            order.append(self.random.choice([label for label in free if label[0] == d]))
            free.remove(order[-1])
        return self.access(tensor, order)

    def with_scalar(self, value):
        number = self.random.choice(["2", "3", "1", "-1"])
        if self.scalars and self.chance(0.3):
            number, bound = self.random.choice(self.scalars)
            uses = value.uses | {number}
        else:
            bound, uses = abs(int(number)), value.uses
        op = self.random.choice(["*", "+", "-", "@(max)", "@(min)"])
        texts = [value.inside(), f"({number})" if number.startswith("-") else number]
        if self.chance(0.4):
            texts.reverse()
        return Value(f"{texts[0]} {op} {texts[1]}", value.labels, uses,
                     value.bound * bound if op == "*" else value.bound + bound, shared=value.shared)

    def product(self, left, right):
        """A product of two values; their labels decide what is folded. None if it grows too much."""
        shared = [label for label in left.labels if label in right.labels]
        kept = [label for label in left.labels + right.labels if label not in shared]
        kept_shared = [label for label in shared if self.chance(0.1)]
        kept += kept_shared
        if not 1 <= len(kept) <= 3:
            return None
        terms = 1
        for label in set(left.labels + right.labels) - set(kept):
            terms *= max(1, self.sizes[label[0]])
        fold, multiply = self.random.choice(FOLDS), self.random.choice(MULTIPLIES)
        if self.chance(0.1):
            fold, multiply = "any", "pair"
        bound = left.bound * right.bound if multiply == "*" else left.bound + right.bound
        bound = max(bound, 1)
        if fold == "+":
            bound *= terms
        elif fold == "*":
            bound = bound**terms if terms < 12 else self.limit
        if bound >= self.limit:
            return None
        plain = fold == "+" and multiply == "*" and self.chance(0.7)
        op = "*" if plain else f"@({fold},{multiply})"
        return Value(f"{left.inside()} {op} {right.inside()}", kept, left.uses | right.uses, bound,
                     shared=left.shared | set(kept_shared))

    def random_product(self):
        tensors = self.readable()
        for _ in range(20):
            first, second = self.random.choice(tensors), self.random.choice(tensors)
            left = self.access(first, self.labels_for(first.dimensions()))
            right = self.access(second, self.labels_for(second.dimensions()))
            value = self.product(left, right)
            if value is None:
                continue
            if self.chance(0.2):
                third = self.random.choice(tensors)
                factor = self.access(third, self.labels_for(third.dimensions()))
                # What the inner product folds away must not be asked for outside of it.
                folded = set(left.labels + right.labels) - set(value.labels)
                longer = None if folded & set(factor.labels) else self.product(value, factor)
                if longer and value.shared <= set(longer.labels):
                    value = longer
            return value
        return None

    def elementwise(self, value):
        other = self.access_with(value.labels)
        if other is None:
            return value
        if self.chance(0.2):
            other = self.with_scalar(other)
        op = self.random.choice(ELEMENTWISE)
        multiplies = op in (".*", "@(*)")
        bound = value.bound * other.bound if multiplies else value.bound + other.bound
        if bound >= self.limit:
            return value
        texts = [value.inside(), other.inside()]
        if self.chance(0.4):
            texts.reverse()
        return Value(f"{texts[0]} {op} {texts[1]}", value.labels, value.uses | other.uses, bound,
                     shared=value.shared)

    def expression(self):
        if self.chance(0.55):
            value = self.random_product()
            if value is None:
                return None
        else:
            tensor = self.random.choice(self.readable())
            value = self.access(tensor, self.labels_for(tensor.dimensions()))
            if self.chance(0.1):
                value = self.diagonal() or value
        for _ in range(self.random.choice([0, 0, 1, 1, 2])):
            value = self.elementwise(value)
        if self.chance(0.2):
            scaled = self.with_scalar(value)
            value = scaled if scaled.bound < self.limit else value
        if self.chance(0.05) and self.type == "double":
            value = Value(f"{value.inside()} / {self.random.choice(['2', '4'])}", value.labels,
                          value.uses, value.bound, shared=value.shared)
        if self.chance(0.05):
            value = Value(f"-{value.inside()}", value.labels, value.uses, value.bound,
                          shared=value.shared)
        return value

    # --- statements ---

    def target_for(self, labels, known=False, inferred=False):
        """A tensor to assign to, an old one or a new one; `known`: an old one, or None; `inferred`: it may
        be declared by its first assignment."""
        fitting = [t for t in self.readable() if t.entries is None and t.type == self.type
                   and sorted(t.dimensions()) == sorted(label[0] for label in labels)]
        if fitting and (known or self.chance(0.4)):
            return self.random.choice(fitting)
        if known:
            return None
        order = list(labels)
        self.random.shuffle(order)
        tensor = self.declare([label[0] for label in order], "C")
        tensor.type = self.type
        if inferred and self.chance(0.15):
            tensor.format = None
        return tensor

    def target_labels(self, target, labels):
        free, order = list(labels), []
        for d in target.dimensions():
            order.append(self.random.choice([label for label in free if label[0] == d]))
            free.remove(order[-1])
        return order

    def mask_for(self, target, labels):
        """The text of a mask and the names in it, or nothing."""
        masks = [t for t in self.readable() if t.dimensions() == target.dimensions()]
        if not masks or not self.chance(0.3):
            return "", set()
        chosen = self.random.choice(masks)
        way = self.random.choice(["", "", ", push", ", pull", ", auto"])
        own = f"[{labels}]" if self.chance(0.2) else ""
        return f"<{chosen.name}{own}{way}>", {chosen.name}

    def accumulate_scalar(self):
        """Adds a scalar to a tensor, often to one that nothing was assigned to."""
        pattern = self.random.choice(self.readable())
        target = self.target_for(self.labels_for(pattern.dimensions()))
        number, uses = self.random.choice(["1", "2", "-1"]), {target.name}
        bound = abs(int(number))
        if self.scalars and self.chance(0.3):
            number, bound = self.random.choice(self.scalars)
            uses = uses | {number}
        labels = ", ".join(self.labels_for(target.dimensions()))
        mask, masks = self.mask_for(target, labels)
        new = target.name not in self.assigned
        closed = not any(d in self.open_sizes for d in target.dimensions())
        if target.bound + bound >= self.limit or (new and not closed and not mask):
            return []
        target.bound += bound
        self.assigned.add(target.name)
        steps = []
        if new and closed and self.chance(0.2):
            steps.append(Step(f"{target.name}[{labels}] = 0;", {target.name}, target.name))
        op = self.random.choice(["+=", "-="])
        step = Step(f"{target.name}[{labels}]{mask} {op} {number};", uses | masks, target.name)
        if self.chance(0.2):
            step = Step(f"for {self.fresh('t')} in range(0, 1, 1):", set(), target.name, [step])
        return steps + [step]

    def assign(self, rounds=0):
        """Assigns an expression; in a loop of `rounds`, to a tensor that it does not read."""
        value = self.expression()
        if value is None:
            return []
        steps = []
        target = self.target_for(value.labels, known=rounds > 0 and self.chance(0.7),
                                 inferred=True)
        if target is None or (rounds > 0 and target.name in value.uses):
            return []
        labels = ", ".join(self.target_labels(target, value.labels))
        new = target.name not in self.assigned
        closed = not any(d in self.open_sizes for d in target.dimensions())
        if new and closed and self.chance(0.4):
            constant, used = self.random.choice(["0", "1", "-2"]), {target.name}
            target.bound = 2
            if self.scalars and self.chance(0.3):
                constant, target.bound = self.random.choice(self.scalars)
                used = used | {constant}
            steps.append(Step(f"{target.name}[{labels}] = {constant};", used, target.name))
            new = False
        mask, uses = self.mask_for(target, labels)
        accumulate = self.random.choice(["=", "=", "+=", "-="])
        if new and target.format is None:
            accumulate = "="
        bound = value.bound * max(rounds, 1) + target.bound if accumulate != "=" else value.bound
        if mask:
            bound = max(bound, target.bound)
        if bound >= self.limit:
            return []
        target.bound = bound
        self.assigned.add(target.name)
        steps.append(Step(f"{target.name}[{labels}]{mask} {accumulate} {value.text};",
                          value.uses | uses | {target.name}, target.name))
        return steps

    def sum(self):
        value = self.expression()
        if value is None or value.shared or value.bound * 512 >= self.limit:
            return []
        name = self.fresh("s")
        text = f"SUM({value.text})"
        uses = value.uses | {name}
        if self.chance(0.2) and value.simple and value.text.count(",") + 1 == len(value.labels):
            function = self.fresh("f")
            tensor = next(iter(value.uses))
            labels = ", ".join(value.labels)
            self.functions[function] = (f"def {function}(X) {{\n    IndexLabel [{labels}] = "
                                        f"[?];\n    return SUM(X[{labels}] .* "
                                        f"X[{labels}]);\n}}\n")
            text, uses = f"{function}({tensor})", uses | {function}
            value.bound *= value.bound
        if value.bound * 512 >= self.limit:
            return []
        if value.bound * 512 < 1000:
            self.scalars.append((name, value.bound * 512))
        return [Step(f"var {name} = {text};", uses, name), Step(f"print({name});", {name})]

    def loop(self):
        rounds = self.random.choice([1, 2, 3])
        body = []
        for _ in range(4):
            body += self.assign(rounds)
            if body and self.chance(0.7):
                break
        # What a round reads must not grow with what the round before wrote.
        sets = {step.sets for step in body}
        reads = set().union(*(step.uses - {step.sets} for step in body)) if body else set()
        if not body or sets & reads:
            return None
        return Step(f"for {self.fresh('t')} in range(0, {rounds}, 1):", set(), None, body)

    def program(self):
        for _ in range(self.random.choice([3, 4, 5])):
            self.add_input()
        steps = []
        for _ in range(self.random.choice([3, 4, 5, 6])):
            if self.chance(0.15):
                steps += self.sum()
                continue
            if self.chance(0.15):
                new = self.accumulate_scalar()
                steps += new + [Step(f"print({name});", {name})
                                for name in sorted({step.sets for step in new})]
                continue
            if self.chance(0.2):
                before = (list(self.tensors), set(self.assigned),
                          {t.name: t.bound for t in self.tensors})
                loop = self.loop()
                if loop is None:
                    self.tensors, self.assigned = before[0], before[1]
                    for tensor in self.tensors:
                        tensor.bound = before[2][tensor.name]
                    continue
                new = [loop]
                sets = {step.sets for step in loop.body}
            else:
                new = self.assign()
                sets = {step.sets for step in new}
            steps += new
            steps += [Step(f"print({name});", {name}) for name in sorted(sets)]
        return Program(self.sizes, self.open_sizes, self.tensors, steps, self.functions)


def generate(seed):
    """The program of that seed, with at least one statement that prints."""
    attempt = 0
    while True:
        program = Generator(f"{seed}.{attempt}").program()
        if any(step.text.startswith("print") for step in program.steps):
            return program
        attempt += 1
