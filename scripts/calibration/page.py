"""The page beside a description: measured beside simulated values, what was found, and what was not measured."""

from .chips import limits
from .files import read_own_keys

STATES = {
    "confirmed": "as before",
    "changed": "changed",
    "no effect": "the key has no effect on the probe: the machine code determines it",
    "not reached": "no value gives the measured one; changed only if that halves the difference",
    "not measured": "not measured",
}


def percent(simulated, measured):
    return f"{(simulated / measured - 1) * 100:+.1f} %"


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |",
            *("| " + " | ".join(row) + " |" for row in rows), ""]


def rows_of_outcomes(outcomes):
    for outcome in outcomes:
        keys = ", ".join(f"`{key}`" for key in outcome.rule.keys)
        if outcome.state == "not measured":
            yield [keys, outcome.rule.value, "", "", "", "", STATES[outcome.state]]
        else:
            yield [keys, outcome.rule.value, f"{outcome.measured:.5g}", f"{outcome.before:g}", f"{outcome.after:g}",
                   percent(outcome.simulated, outcome.measured), STATES[outcome.state]]


def rows_of_values(measured, simulated):
    for name, value in measured.items():
        if name in simulated:
            yield [name, value.unit, f"{value.median:.5g}", f"{value.least:.5g} to {value.most:.5g}",
                   f"{simulated[name].median:.5g}", percent(simulated[name].median, value.median)]


def summary(measured, simulated):
    errors = sorted(
        abs(simulated[name].median / value.median - 1) for name, value in measured.items() if name in simulated
    )
    if not errors:
        return "No probe was simulated."
    middle, high = errors[len(errors) // 2], errors[min(len(errors) - 1, len(errors) * 9 // 10)]
    return (f"{len(errors)} values: the median difference is {middle * 100:.1f} %, "
            f"nine of ten are within {high * 100:.1f} %, the largest is {errors[-1] * 100:.1f} %.")


def unmeasured(base_path, values):
    """The base's own keys that nothing replaced."""
    for key, text, comment in read_own_keys(base_path):
        if key not in values:
            yield f"- `{key}: {text}` ({comment or 'no source'})"


def rows_of_counters(counters):
    for kernel, blocks, metric, launches, measured, simulated in counters:
        yield [kernel.split("(")[0], str(blocks), metric, str(launches), f"{measured:.5g}", f"{simulated:.5g}",
               percent(simulated, measured)]


def counter_section(counters):
    if not counters:
        return ["There are none: `ncu` was not found, or may not count."]
    return ["No value comes from them. Each launch was measured and simulated with empty caches. Cycles of short launches depend "
            "on the profiler: with few metrics in a pass they are some hundred cycles shorter than with many.", "",
            *table(["kernel", "blocks", "metric", "launches", "measured", "simulated", "difference"],
                   rows_of_counters(counters))]


def page_text(device, base_path, base, outcomes, measured, simulated, counters, values, notes):
    lines = [
        f"# Calibration: {device['name']}",
        "",
        f"Base: `{base_path.name}`. Driver {device.get('driver_version', 'unknown')}, "
        f"toolkit {device.get('toolkit_version', 'unknown')}. "
        "The same program was measured on the GPU and simulated on the new description.",
        "",
        summary(measured, simulated),
        "",
        "## Values that probes determine",
        "",
        *table(["key", "probe", "measured", "value before", "value now", "simulated", "result"], rows_of_outcomes(outcomes)),
        "## Measured and simulated",
        "",
        *table(["probe", "unit", "measured", "least to greatest run", "simulated", "difference"],
               rows_of_values(measured, simulated)),
        "## Counters of Nsight Compute",
        "",
        *counter_section(counters),
        "",
        "## Limits that the driver reports and the family has otherwise",
        "",
        *([f"- `{key}`: {described}, the driver reports {reported}" for key, described, reported in limits(base, device)]
          or ["None."]),
        "",
        "## Not measured",
        "",
        *[f"- {note}" for note in notes],
        "- Every value of the family that the table above does not name: see its sources.",
        "- The clock of L2, and counters: they need a profiler.",
        "- Values of the base:",
        "",
        *unmeasured(base_path, values),
    ]
    return "\n".join(lines) + "\n"
