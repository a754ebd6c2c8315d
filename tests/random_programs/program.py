"""A program with its inputs as data, so that it can be written out whole or with parts left out."""

from dataclasses import dataclass, field


@dataclass
class Tensor:
    name: str
    type: str  # "double", "float" or "int"
    format: str  # as in a declaration: "CSR", "D, CU"...
    labels: list  # as declared; a label's first letter names its dimension
    shape: list
    entries: dict = None  # coordinates to value: read from a file; None: assigned by a statement
    bound: float = 0  # no element is larger in magnitude, nor is any sum on the way

    def dimensions(self):
        return [label[0] for label in self.labels]

    def declaration(self):
        return f"Tensor<{self.type}> {self.name}([{', '.join(self.labels)}], {{{self.format}}});"


@dataclass
class Step:
    """A statement, or a loop around others, and the names it needs."""
    text: str
    uses: set = field(default_factory=set)
    sets: str = None
    body: list = None  # of a loop

    def lines(self, indent):
        yield indent + self.text
        if self.body is not None:
            for step in self.body:
                yield from step.lines(indent + "    ")
            yield indent + "end"

    def all_uses(self):
        return self.uses.union(*(step.all_uses() for step in self.body or []))


@dataclass
class Program:
    sizes: dict  # of each dimension
    open_sizes: set  # dimensions whose size only the files know
    tensors: list
    steps: list
    functions: dict = field(default_factory=dict)  # name to text

    def used_names(self):
        return set().union(*(step.all_uses() for step in self.steps))

    def used_tensors(self):
        used = self.used_names()
        return [tensor for tensor in self.tensors if tensor.name in used]

    def inputs(self):
        return [tensor for tensor in self.used_tensors() if tensor.entries is not None]

    def text(self):
        tensors = self.used_tensors()
        lines = [text for name, text in self.functions.items() if name in self.used_names()]
        lines.append("def main() {")
        for dimension, size in self.sizes.items():
            names = ", ".join(f"{dimension}{k}" for k in range(3))
            lines.append(f"    IndexLabel [{names}] = "
                         f"[{'?' if dimension in self.open_sizes else size}];")
        lines += ["    " + tensor.declaration() for tensor in tensors if tensor.format]
        for number, tensor in enumerate(self.inputs()):
            lines.append(f"    {tensor.name}[{', '.join(tensor.labels)}] = comet_read({number});")
        for step in self.steps:
            lines += step.lines("    ")
        lines.append("}")
        return "\n".join(lines) + "\n"

    def write(self, directory):
        """The program and its inputs as files; returns the options that name the inputs."""
        (directory / "program.tropic").write_text(self.text())
        options = []
        for number, tensor in enumerate(self.inputs()):
            name = f"{number}.mtx" if len(tensor.shape) == 2 else f"{number}.tns"
            (directory / name).write_text(file_text(tensor))
            options += ["-i", f"{number}={name}"]
        return options


def file_text(tensor):
    sizes = " ".join(map(str, tensor.shape))
    lines = [" ".join(str(c + 1) for c in at) + f" {value}" for at, value in tensor.entries.items()]
    if len(tensor.shape) == 2:
        head = ["%%MatrixMarket matrix coordinate real general", f"{sizes} {len(lines)}"]
    else:
        head = [str(len(tensor.shape)), sizes]
    return "\n".join(head + lines) + "\n"
