"""The goals of the simulator, and whether the results meet them."""

from dataclasses import dataclass

from .arithmetic import compare, distance, mean, percentile, is_percentage, stall_shares, summarise, top
from .reading import L1_HIT_RATE, L2_HIT_RATE

L1 = "l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum"
WORST_SHOWN = 3
VISIBLE_ERROR = 0.0005  # smaller values are printed as 0.0


@dataclass
class Verdict:
    goal: str
    expected: str
    measured: str
    met: bool  # None: there are no data
    launches: int
    worst: str


def error_text(metric, error):
    return f"{100 * error:+.1f} {'pt' if is_percentage(metric) else '%'}"


def share_text(metric, error):
    digits = 2 if error and error < 0.01 else 1
    return f"{100 * error:.{digits}f} {'pt' if is_percentage(metric) else '%'}"


def nothing(goal, expected, why):
    return Verdict(goal, expected, why, None, 0, "-")


def judge(goal, launches, metric, most, worst_most=None, above=None, at_most=True):
    """Mean of the absolute errors over the launches. Launches in which both sides are 0 would reduce it, so
    the mean without them is judged; the other is also printed."""
    everything = compare(metric, launches)
    comparisons = [c for c in everything if c.hardware or c.simulated or is_percentage(metric)]
    if above is not None:
        comparisons = [c for c in comparisons if c.hardware > above]
    expected = f"{'≤' if at_most else '<'} {share_text(metric, most)}"
    if worst_most is not None:
        expected += f", worst < {share_text(metric, worst_most)}"
    summary = summarise(comparisons)
    if not summary.launches:
        return nothing(goal, expected, "no such launch")
    measured = share_text(metric, summary.mean)
    met = summary.mean <= most if at_most else summary.mean < most
    if worst_most is not None:
        worst = abs(summary.worst[0].error)
        measured += f", worst {share_text(metric, worst)}"
        met = met and worst < worst_most
    if above is None and len(comparisons) < len(everything):
        measured += f" ({share_text(metric, summarise(everything).mean)} of all {len(everything)})"
    shown = [c for c in summary.worst[:WORST_SHOWN] if abs(c.error) >= VISIBLE_ERROR]
    worst = ", ".join(f"{c.launch} {error_text(metric, c.error)}" for c in shown)
    return Verdict(goal, expected, measured, met, summary.launches, worst or "-")


def with_lookups(launches, metrics):
    """Launches with lookups on hardware: the others have no hit rate."""
    return [launch for launch in launches if sum(launch.hardware.get(metric) or 0 for metric in metrics) > 0]


def traffic_goals(public, extra):
    verdicts = []
    for what in ("requests", "sectors"):
        for kind in ("ld", "st", "red", "atom"):
            metric = L1.format(what, kind)
            verdicts.append(judge(f"`{metric}`", public, metric, 0.01))
    for metric in (
        "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    ):
        verdicts.append(judge(f"`{metric}`", public, metric, 0.03))
    lookups = [f"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_{what}.sum" for what in ("hit", "miss")]
    verdicts.append(judge("L1 hit rate of global loads", with_lookups(public, lookups), L1_HIT_RATE, 0.03))
    for kind in ("read", "write", "red", "atom"):
        metric = f"lts__t_sectors_op_{kind}.sum"
        verdicts.append(judge(f"`{metric}` above 10,000", public, metric, 0.05, above=1e4))
    lookups = [f"lts__t_sectors_srcunit_tex_lookup_{what}.sum" for what in ("hit", "miss")]
    verdicts.append(judge("L2 hit rate of requests from L1", with_lookups(public, lookups), L2_HIT_RATE, 0.04))
    metric = "dram__bytes_read.sum"
    verdicts.append(judge(f"`{metric}` above 1 MB", public, metric, 0.05, above=1e6))
    bigwrite = [launch for launch in extra if launch.workload == "bigwrite"]
    metric = "dram__bytes_write.sum"
    verdicts.append(judge(f"`{metric}` of bigwrite", bigwrite, metric, 0.10))
    return verdicts


def stall_goals(public):
    distances, tops = [], []
    for launch in public:
        hardware, simulated = stall_shares(launch.hardware), stall_shares(launch.simulated)
        if not hardware or not simulated:
            continue
        distances.append((distance(hardware, simulated), launch.label))
        if top(hardware) != "long_scoreboard":
            tops.append((top(hardware) == top(simulated), launch.label, top(hardware), top(simulated)))
    goal, expected = "stall reasons as shares of their sum, mean distance", "< 15 %"
    if not distances:
        return [nothing(goal, expected, "no stall reasons")]
    measured = mean([d for d, _ in distances])
    worst = sorted(distances, key=lambda item: -item[0])[:WORST_SHOWN]
    text = ", ".join(f"{label} {100 * d:.1f} %" for d, label in worst)
    verdicts = [Verdict(goal, expected, f"{100 * measured:.1f} %", measured < 0.15, len(distances), text)]
    goal, expected = "top stall reason where it is not long_scoreboard", "right in 5 of 7"
    if not tops:
        return verdicts + [nothing(goal, expected, "no such launch")]
    right = sum(1 for item in tops if item[0])
    wrong = ", ".join(f"{label} {simulated} for {hardware}" for good, label, hardware, simulated in tops if not good)
    return verdicts + [Verdict(goal, expected, f"right in {right} of {len(tops)}", right >= 5, len(tops), wrong or "-")]


def families(probes):
    by_family = {}
    for probe in probes:
        by_family.setdefault(probe.family, []).append(probe)
    return by_family


def judge_family(name, probes):
    covered = [probe for probe in probes if probe.error is not None]
    share = len(covered) / len(probes)
    goal, expected = f"microbenchmarks, {name}", "≥ 60 % covered, median < 3.0 %, 90 % < 10.0 %"
    if not covered:
        return Verdict(goal, expected, "0 % covered", False, 0, "-")
    errors = [abs(probe.error) for probe in covered]
    median, p90 = percentile(errors, 0.5), percentile(errors, 0.9)
    worst = sorted(covered, key=lambda probe: -abs(probe.error))[:WORST_SHOWN]
    return Verdict(
        goal,
        expected,
        f"{100 * share:.0f} % covered, median {100 * median:.1f} %, 90 % {100 * p90:.1f} %",
        share >= 0.6 and median < 0.03 and p90 < 0.1,
        len(covered),
        ", ".join(f"`{probe.name}` {100 * probe.error:+.1f} %" for probe in worst),
    )


def evaluate(results, probes):
    """Every goal; `probes` is None if no microbenchmarks were given."""
    public, extra, pytorch = (results.suite(name) for name in ("public", "extra", "pytorch"))
    cycles, active = "gpc__cycles_elapsed.max", "sm__cycles_active.avg"
    stress = [launch for launch in extra if launch.workload in ("bigwrite", "contention")]
    verdicts = [
        judge(f"`{cycles}`", public, cycles, 0.07, 0.25, at_most=False),
        judge(f"`{active}`", public, active, 0.10, 0.35, at_most=False),
        judge("`smsp__inst_executed.sum`", public, "smsp__inst_executed.sum", 0.003),
    ]
    verdicts += traffic_goals(public, extra)
    warps = "sm__warps_active.avg.pct_of_peak_sustained_active"
    verdicts += [
        judge(f"`{cycles}` of contention and bigwrite", stress, cycles, 0.05, at_most=False),
        judge(f"`{warps}`", public, warps, 0.04),
    ]
    verdicts += stall_goals(public)
    verdicts.append(judge(f"`{cycles}` of the PyTorch kernels", pytorch, cycles, 0.12, at_most=False))
    if probes is None:
        goal = "microbenchmarks by family"
        return verdicts + [nothing(goal, "≥ 60 % covered, median < 3.0 %, 90 % < 10.0 %", "not given")]
    return verdicts + [judge_family(name, members) for name, members in families(probes).items()]
