"""Finds the values of a description with which simulated probes equal measured ones."""

from dataclasses import dataclass

# A difference of less than this is not worth another value: the runs of one probe differ by as much.
CLOSE_ENOUGH = 0.005
LEAST_EFFECT = 0.0005  # relative change of a probe below which a key has no effect on it
MOST_STEPS = 6


@dataclass(frozen=True)
class Outcome:
    """What a rule gave. `state`: confirmed, changed, no effect, not reached, not measured."""

    rule: object
    state: str
    before: float = 0.0
    after: float = 0.0
    measured: float = 0.0
    simulated: float = 0.0


def error(simulated, measured):
    return abs(simulated - measured) / abs(measured)


def rounded(rule, value):
    value = min(max(value, rule.least), rule.most)
    return round(value) if rule.whole else round(value, 1)


def solve(rule, start, measured, simulate):
    """The secant method, from `start`. `simulate(value)` gives the value of the rule's probe.

    The state is "not reached" if no value comes within the spread of the measured runs; the start is then kept, unless another
    value halves the difference.
    """
    target = measured.median
    tolerance = max(CLOSE_ENOUGH, measured.spread / 2)
    seen = {start: simulate(start)}
    if error(seen[start], target) <= tolerance:
        return Outcome(rule, "confirmed", start, start, target, seen[start])
    # A step in the direction that a first one shows to be right; rates fall with intervals, latencies grow.
    previous, current = start, rounded(rule, start + rule.step)
    for _ in range(MOST_STEPS):
        if current in seen:
            break
        seen[current] = simulate(current)
        change = seen[current] - seen[previous]
        if abs(change) <= LEAST_EFFECT * abs(target):
            break
        following = rounded(rule, current + (target - seen[current]) * (current - previous) / change)
        previous, current = current, following
    best = min(seen, key=lambda value: (error(seen[value], target), abs(value - start)))
    if all(error(value, seen[start]) <= LEAST_EFFECT for value in seen.values()):
        return Outcome(rule, "no effect", start, start, target, seen[start])
    if error(seen[best], target) <= max(2 * tolerance, 0.01):
        return Outcome(rule, "changed", start, best, target, seen[best])
    # Something else limits the probe. A value that comes a little nearer says nothing about the key.
    if error(seen[best], target) > error(seen[start], target) / 2:
        best = start
    return Outcome(rule, "not reached", start, best, target, seen[best])


def calibrate(rules, description, measured, simulator, report):
    """([Outcome], {dotted key: value}) of all rules in turn; each one starts with the values that those before it found."""
    outcomes = []
    changes = {}
    for rule in rules:
        is_known = all(key in description for key in rule.keys)
        skipped = rule.partitions and description["address_map.num_partitions"] < 2
        if rule.value not in measured or not is_known or skipped:
            outcomes.append(Outcome(rule, "not measured"))
            continue

        def simulate(value, rule=rule):
            tried = {**changes, **{key: value for key in rule.keys}}
            return simulator.values(rule.probe, tried)[rule.value].median

        outcome = solve(rule, description[rule.keys[0]], measured[rule.value], simulate)
        if outcome.after != outcome.before:
            changes.update({key: outcome.after for key in rule.keys})
        report(outcome)
        outcomes.append(outcome)
    return outcomes, changes
