"""The sections of docs/accuracy.md, as Markdown."""

from collections import Counter
from pathlib import Path

from .arithmetic import compare, distance, error_of, is_percentage, mean, percentile, stall_shares, summarise, top
from .goals import error_text, families, judge_family, share_text
from .reading import L1_HIT_RATE, L2_HIT_RATE

MAIN_METRICS = (
    "gpc__cycles_elapsed.max",
    "sm__cycles_active.avg",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    L1_HIT_RATE,
    "lts__t_sectors.sum",
    "lts__t_sectors_op_read.sum",
    "lts__t_sectors_op_write.sum",
    L2_HIT_RATE,
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
)
SUITES = {
    "public": "public workloads",
    "extra": "calibration launches",
    "pytorch": "PyTorch kernels",
}
SHARE_WORTH_A_COLUMN = 0.01


def table(headings, rows, left=(0,)):
    """A Markdown table; columns of numbers are aligned right."""
    rules = ["---" if i in left else "---:" for i in range(len(headings))]
    lines = [headings, rules, *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"


def folded(summary, text):
    return f"<details>\n<summary>{summary}</summary>\n\n{text}\n</details>\n"


def value_text(value):
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 1000 else f"{value:.4g}"


def metric_name(metric):
    return metric.removesuffix(" (.pct)") if " " in metric else f"`{metric}`"


def optional_share(metric, error):
    return "-" if error is None else share_text(metric, error)


def coefficient(value):
    return "-" if value is None else f"{value:.3f}"


def count_of(number, singular, plural=None):
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def introduction(results, command):
    run = results.runs[0]
    suites = Counter(launch.suite for launch in results.launches)
    counts = ", ".join(f"{SUITES.get(name, name)} ({count_of(n, 'launch', 'launches')})" for name, n in suites.items())
    text = (
        "# Accuracy\n\n"
        "What warpsim computes beside what hardware measured. This page is written by `scripts/accuracy`; do not edit it.\n\n"
        f"Simulated: warpsim {run['version']}, `{Path(run['config_file']).name}` ({run['gpu']}, hash of all values "
        f"`{run['config_hash']}`),\none description for all launches, caches empty before each launch. Measured: the same launches "
        "on the GPU itself\n"
        f"(`tests/hardware/README.md`): {counts}.\n\n"
        "An error is (simulated - hardware) / hardware. Where hardware counts under 1,000 it is the difference / 1,000;\n"
        "percentages differ in points (pt). MAPE is the mean of the absolute errors over launches, 90 % their 90th\n"
        "percentile, interpolated linearly. The spread is how far the least and the greatest of repeated measurements lie\n"
        "from their median, which is what is compared.\n\n"
        "To reproduce it, with the recorded traces of the launches at hand (`traces/README.md`: some are bundled):\n\n"
        f"```sh\ncmake --preset release && cmake --build --preset release\n{command}\n```\n"
    )
    if results.not_simulated:
        missing = Counter(label.partition("[")[0] for label in results.not_simulated)
        names = ", ".join(f"{name} ({count_of(n, 'launch', 'launches')})" for name, n in missing.items())
        text += f"\nMeasured, but not simulated here: {names}.\n"
    return text


def goals_section(verdicts):
    judged = [v for v in verdicts if v.met is not None]
    words = {True: "met", False: "**missed**", None: "-"}
    rows = [(v.goal, v.expected, v.measured, words[v.met], v.launches or "-", v.worst) for v in verdicts]
    return (
        f"## Goals\n\n{sum(v.met for v in judged)} of {len(judged)} goals are met. Unless a goal names others, its launches are "
        "the public workloads. Counts are judged\nby the launches where hardware or simulator counts anything.\n\n"
        + table(("goal", "expected", "measured", "", "launches", "worst"), rows, left=(0, 1, 2, 3, 5))
    )


def plots_section(plots):
    return "\n".join(f"![{title}]({path})\n" for title, path in plots)


def correlation_section(plots):
    if not plots:
        return ""
    return (
        "## Hardware against simulated\n\nA point a launch, on logarithmic axes. Points on the line are right; the dashed lines "
        "are 25 % above and 20 % below it.\nThe launches that are farthest off are named. Launches with 0 on one side are "
        "left out.\n\n" + plots_section(plots)
    )


def spread_of(launch, metric):
    if metric not in launch.spreads:
        return "-"
    hardware = launch.hardware[metric]
    errors = [error_of(metric, hardware, end) for end in launch.spreads[metric]]
    return "-" if None in errors else f"{100 * errors[0]:+.1f} .. {error_text(metric, errors[1])}"


def launches_table(metric, launches):
    spread_known = any(metric in launch.spreads for launch in launches)
    rows = []
    for launch in launches:
        hardware, simulated = launch.hardware.get(metric), launch.simulated.get(metric)
        if hardware is None or simulated is None or (not hardware and not simulated):
            continue
        error = error_of(metric, hardware, simulated)
        kernel = short_kernel(launch.kernel)
        row = (launch.label, f"`{kernel}`", value_text(hardware), value_text(simulated))
        row += (error_text(metric, error) if error is not None else "-",)
        rows.append(row + ((spread_of(launch, metric),) if spread_known else ()))
    headings = ("launch", "kernel", "hardware", "simulated", "error") + (("spread of hardware",) if spread_known else ())
    return table(headings, rows, left=(0, 1))


def short_kernel(name, most=40):
    """Without result type, namespaces, parameters and template arguments."""
    kept, depth = "", 0
    for character in name.removeprefix("void ").replace("<unnamed>::", ""):
        depth -= character in ">)"
        if character == "(" and depth == 0:
            break
        if depth == 0 and character not in "<>":
            kept += character
        depth += character in "<("
    kept = kept.rpartition("::")[2]
    return kept if len(kept) <= most else kept[: most - 2] + ".."


def within_spread(metric, launches):
    """(launches whose simulated value lies within the spread of hardware, launches with a spread)."""
    known = [launch for launch in launches if metric in launch.spreads and launch.simulated.get(metric) is not None]
    inside = [x for x in known if x.spreads[metric][0] <= x.simulated[metric] <= x.spreads[metric][1]]
    return len(inside), len(known)


def launches_section(results):
    text = "## Launch by launch\n\nLaunches where both sides have nothing are left out.\n"
    for metric in MAIN_METRICS:
        summary = summarise(compare(metric, results.launches))
        if not summary.launches:
            continue
        head = f"{metric_name(metric)}: mean {share_text(metric, summary.mean)}, 90 % {share_text(metric, summary.p90)}"
        inside, known = within_spread(metric, results.launches)
        remark = f"; {inside} of {known} within the spread of hardware" if known else ""
        # Markdown is not read inside of <summary>.
        head = head.replace("`", "")
        text += "\n" + folded(head + remark, launches_table(metric, results.launches))
    return text


def metrics_section(results):
    """Every metric as one row, over the public launches."""
    public = results.suite("public")
    rows, absent = [], []
    for metric in (*results.metrics, L1_HIT_RATE, L2_HIT_RATE):
        comparisons = compare(metric, public)
        if not comparisons:
            absent.append((f"`{metric}`", results.reasons.get(metric, "not a metric of the simulator")))
            continue
        summary = summarise(comparisons)
        worst = summary.worst[0] if summary.worst else None
        rows.append(
            (
                metric_name(metric),
                summary.launches,
                sum(1 for c in comparisons if c.hardware or c.simulated),
                *(optional_share(metric, e) for e in (summary.mean, summary.median, summary.p90)),
                "-" if worst is None or not worst.error else f"{worst.launch} {error_text(metric, worst.error)}",
                "-" if summary.bias is None else error_text(metric, summary.bias),
                coefficient(summary.log_pearson),
            )
        )
    headings = ("metric", "launches", "not 0", "MAPE", "median", "90 %", "worst", "bias", "Pearson of logs")
    text = (
        "## All metrics\n\nOver the public workloads. `launches` have an error, and `not 0` tells in how many of all "
        "hardware or simulator\nhave anything; bias is the mean error with its sign.\n\n"
    )
    text += table(headings, rows, left=(0, 6))
    if absent:
        text += "\nWithout a simulated value:\n\n" + table(("metric", "why"), absent, left=(0, 1))
    return text


def stalls_section(results, plots):
    launches = [x for x in results.launches if stall_shares(x.hardware) and stall_shares(x.simulated)]
    if not launches:
        return "## Stall reasons\n\nNo launch has stall reasons on both sides.\n"
    shares = [(x, stall_shares(x.hardware), stall_shares(x.simulated)) for x in launches]
    reasons = sorted({reason for _, hardware, simulated in shares for reason in (*hardware, *simulated)})
    shown = [r for r in reasons if any(max(h.get(r, 0), s.get(r, 0)) >= SHARE_WORTH_A_COLUMN for _, h, s in shares)]
    rows = []
    for launch, hardware, simulated in shares:
        cells = [f"{100 * hardware.get(r, 0):.0f}/{100 * simulated.get(r, 0):.0f}" for r in shown]
        cells = ["" if cell == "0/0" else cell for cell in cells]
        agree = "yes" if top(hardware) == top(simulated) else "no"
        rows.append((launch.label, f"{100 * distance(hardware, simulated):.1f}", agree, *cells))
    distances = [distance(hardware, simulated) for _, hardware, simulated in shares]
    agreed = sum(top(hardware) == top(simulated) for _, hardware, simulated in shares)
    text = (
        "## Stall reasons\n\nEach reason as a share of the sum of all (without `selected`), in per cent, hardware/simulated. "
        "The distance is half the\nsum of the absolute differences: the share of waiting that is put down to another reason. "
        f"Over all {len(shares)} launches its\nmean is {100 * mean(distances):.1f} %, its median "
        f"{100 * percentile(distances, 0.5):.1f} %; the top reason is the same in {agreed}.\n\n"
    )
    text += plots_section(plots) + ("\n" if plots else "")
    headings = ("launch", "distance", "same top", *(r.replace("_", " ") for r in shown))
    return text + folded("shares launch by launch", table(headings, rows, left=(0, 2)))


def microbench_section(probes):
    if probes is None:
        return ""
    text = (
        "## Microbenchmarks\n\nKernels that isolate one latency, rate or capacity, run by `warpsim_microbench` on the same "
        "description.\n\n"
    )
    rows = []
    for name, members in families(probes).items():
        verdict = judge_family(name, members)
        rows.append((name, len(members), verdict.launches, verdict.measured, verdict.worst))
    text += table(("family", "values", "simulated", "measured", "worst"), rows, left=(0, 3, 4))
    for name, members in families(probes).items():
        covered = [
            (f"`{p.name}`", p.unit, f"{p.hardware:.6g}", f"{p.simulated:.6g}", f"{100 * p.error:+.1f} %", probe_spread(p))
            for p in members
            if p.error is not None and p.simulated is not None
        ]
        if covered:
            headings = ("value", "unit", "hardware", "simulated", "error", "spread of hardware")
            text += "\n" + folded(f"{name}: {count_of(len(covered), 'value')}", table(headings, covered, left=(0, 1)))
    uncovered = Counter((p.family, p.status or "not covered") for p in probes if p.error is None)
    if uncovered:
        rows = [(family, status, count) for (family, status), count in uncovered.items()]
        text += "\n" + folded("values that are not simulated", table(("family", "why", "values"), rows, left=(0, 1)))
    return text


def probe_spread(probe):
    if probe.least is None or probe.greatest is None or not probe.hardware:
        return "-"
    ends = [100 * (end - probe.hardware) / probe.hardware for end in (probe.least, probe.greatest)]
    return f"{ends[0]:+.1f} .. {ends[1]:+.1f} %"


def ablations_section(ablations, baseline):
    if not ablations:
        return ""
    rows = [("(as described)", "", "-", f"{100 * baseline.mean:.1f} %", "", f"{100 * baseline.bias:+.1f} %", "-")]
    for a in ablations:
        change = f"{100 * (a.mean - baseline.mean):+.1f} pt"
        row = (f"`{a.override}`", a.meaning, f"{a.changed} of {a.launches}", f"{100 * a.mean:.1f} %", change)
        rows.append((*row, f"{100 * a.bias:+.1f} %", a.worst))
    return (
        "## What each mechanism contributes\n\nThe cycles of the public workloads with one mechanism made ideal, switched off "
        "or replaced by another policy. Where the\nMAPE rises, the mechanism explains time that hardware takes; where it does "
        "not change, these workloads do not show it.\n\n"
        + table(("`--set`", "what it does", "launches changed", "MAPE", "change", "bias", "worst"), rows, left=(0, 1, 6))
    )


def known_errors_section(text):
    return "## Known to be wrong\n\n" + text.strip() + "\n"
