"""Errors and their summaries. The rules are those of `warpsim correlate`, implemented independently."""

import math
from dataclasses import dataclass

SMALL_COUNT = 1000
STALL_PREFIX = "smsp__average_warps_issue_stalled_"
STALL_SUFFIX = "_per_issue_active.ratio"


def is_percentage(metric):
    return ".pct" in metric


def error_of(metric, hardware, simulated):
    """As a share: 0.1 is 10 %, or 10 points of a percentage. None for ratios if hardware is 0."""
    if is_percentage(metric):
        return (simulated - hardware) / 100
    if metric.endswith((".sum", ".avg", ".max", ".min")):
        return (simulated - hardware) / max(hardware, SMALL_COUNT)
    return (simulated - hardware) / hardware if hardware else None


def mean(values):
    return sum(values) / len(values)


def percentile(values, share):
    """Interpolated linearly between the two nearest values."""
    ordered = sorted(values)
    position = share * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])


def pearson(x, y):
    """None for fewer than two points, or if one side is constant."""
    if len(x) < 2:
        return None
    mean_x, mean_y = mean(x), mean(y)
    covariance = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
    variance_x = sum((a - mean_x) ** 2 for a in x)
    variance_y = sum((b - mean_y) ** 2 for b in y)
    if variance_x == 0 or variance_y == 0:
        return None
    return covariance / math.sqrt(variance_x * variance_y)


@dataclass
class Comparison:
    """One metric of one launch."""

    launch: str
    hardware: float
    simulated: float
    error: float  # None: hardware has 0


@dataclass
class Summary:
    """Of the absolute errors of one metric; all None if there is none."""

    launches: int
    mean: float
    median: float
    p90: float
    bias: float  # mean with sign
    log_pearson: float
    worst: list  # comparisons, the worst first


def compare(metric, launches):
    """One Comparison per launch that has the metric on both sides."""
    found = []
    for launch in launches:
        hardware, simulated = launch.hardware.get(metric), launch.simulated.get(metric)
        if hardware is not None and simulated is not None:
            found.append(Comparison(launch.label, hardware, simulated, error_of(metric, hardware, simulated)))
    return found


def summarise(comparisons):
    counted = [c for c in comparisons if c.error is not None]
    positive = [c for c in comparisons if c.hardware > 0 and c.simulated > 0]
    log_pearson = pearson([math.log(c.hardware) for c in positive], [math.log(c.simulated) for c in positive])
    if not counted:
        return Summary(0, None, None, None, None, log_pearson, [])
    errors = [abs(c.error) for c in counted]
    return Summary(
        len(counted),
        mean(errors),
        percentile(errors, 0.5),
        percentile(errors, 0.9),
        mean([c.error for c in counted]),
        log_pearson,
        sorted(counted, key=lambda c: -abs(c.error)),
    )


def hit_rate(values, hit, miss):
    """In per cent; 0 without lookups, None if the counters are missing."""
    hits, misses = values.get(hit), values.get(miss)
    if hits is None or misses is None:
        return None
    return 100 * hits / (hits + misses) if hits + misses else 0.0


def stall_shares(values):
    """Stall reasons as shares of their sum, without `selected`, which is not a stall. Empty if no warp waited."""
    reasons = {
        metric[len(STALL_PREFIX) : -len(STALL_SUFFIX)]: value
        for metric, value in values.items()
        if metric.startswith(STALL_PREFIX) and metric.endswith(STALL_SUFFIX) and value is not None
    }
    reasons.pop("selected", None)
    total = sum(reasons.values())
    return {reason: value / total for reason, value in reasons.items()} if total else {}


def distance(shares, others):
    """Half the sum of absolute differences: the share that would have to move to make both equal."""
    return sum(abs(shares.get(r, 0) - others.get(r, 0)) for r in sorted(set(shares) | set(others))) / 2


def top(shares):
    return max(sorted(shares), key=lambda reason: shares[reason])
