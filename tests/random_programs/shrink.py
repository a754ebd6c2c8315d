"""Makes a program that shows a difference smaller, as long as it still shows one."""

from copy import deepcopy


def without_step(steps, position):
    """The steps without the one at that position of a walk through loops and all; None: no such."""
    count = 0

    def walk(items):
        nonlocal count
        result = []
        for step in items:
            here, count = count, count + 1
            if here == position:
                if step.body:
                    count += len(step.body)
                continue
            if step.body is not None:
                step = deepcopy(step)
                step.body = walk(step.body)
                if not step.body:
                    continue
            result.append(step)
        return result

    kept = walk(steps)
    return kept if position < count else None


def smaller_steps(program):
    position = 0
    while (steps := without_step(program.steps, position)) is not None:
        smaller = deepcopy(program)
        smaller.steps = steps
        yield smaller
        position += 1


def smaller_inputs(program):
    """Without half of the entries of an input, then without single ones."""
    for tensor in program.inputs():
        places = list(tensor.entries)
        half = (len(places) + 1) // 2
        pieces = [set(places[:half]), set(places[half:])] if half > 1 else []
        for dropped in pieces + [{place} for place in places]:
            if not dropped:
                continue
            smaller = deepcopy(program)
            for copy in smaller.tensors:
                if copy.name == tensor.name:
                    copy.entries = {at: value for at, value in copy.entries.items()
                                    if at not in dropped}
            yield smaller


def shrink(program, still_differs, tries=400):
    """The smallest program found; `still_differs(program)` runs it."""
    changed = True
    while changed and tries > 0:
        changed = False
        for ways in (smaller_steps, smaller_inputs):
            for smaller in ways(program):
                tries -= 1
                if tries <= 0:
                    break
                if still_differs(smaller):
                    program, changed = smaller, True
                    break
            if changed:
                break
    return program
