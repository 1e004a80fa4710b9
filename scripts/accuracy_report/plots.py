"""Plots as SVG; equal data give equal bytes. The only module that requires matplotlib."""

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

from .arithmetic import compare, stall_shares  # noqa: E402
from .pages import SHARE_WORTH_A_COLUMN, SUITES  # noqa: E402

# Without a fixed salt, the names of elements are random; text as text stays readable and small.
plt.rcParams.update({"svg.hashsalt": "warpsim", "svg.fonttype": "none", "font.size": 9, "axes.grid": True})
plt.rcParams.update({"grid.alpha": 0.3, "axes.axisbelow": True})
COLOURS = {"public": "#1f77b4", "extra": "#ff7f0e", "pytorch": "#2ca02c"}
MARKERS = {"public": "o", "extra": "s", "pytorch": "^"}
TIME = (("gpc__cycles_elapsed.max", "cycles"), ("sm__cycles_active.avg", "active cycles of an SM"))
TRAFFIC = (
    ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "L1 sectors of global loads"),
    ("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "L1 sectors of global stores"),
    ("lts__t_sectors_op_read.sum", "L2 sectors read"),
    ("lts__t_sectors_op_write.sum", "L2 sectors written"),
    ("dram__bytes_read.sum", "bytes read from DRAM"),
    ("dram__bytes_write.sum", "bytes written to DRAM"),
)
NAMED_ERROR = 0.2  # launches with a larger error are named,
NAMED_LAUNCHES = 5  # if they are among this many worst ones
SMALLER_THAN_SHOWN = "others"
RANGE_WITHOUT_MINOR_TICKS = 100
VISIBLE_SHARE = 0.05  # per cent; smaller shares are not drawn


def save(figure, path):
    figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None}, bbox_inches="tight")
    plt.close(figure)
    # matplotlib writes trailing blanks.
    path.write_text("\n".join(line.rstrip() for line in path.read_text().splitlines()) + "\n")


def scatter(axes, results, metric, title):
    """Hardware against simulated; values of 0 cannot be drawn on logarithmic axes."""
    values = []
    positive = [c for c in compare(metric, results.launches) if c.hardware > 0 and c.simulated > 0]
    worst = sorted(positive, key=lambda c: -abs(c.error))[:NAMED_LAUNCHES]
    for point in worst:
        if abs(point.error) > NAMED_ERROR:
            place = {"textcoords": "offset points", "xytext": (4, -3), "fontsize": 6}
            axes.annotate(point.launch, (point.hardware, point.simulated), **place)
    for suite in SUITES:
        points = [c for c in compare(metric, results.suite(suite)) if c.hardware > 0 and c.simulated > 0]
        if not points:
            continue
        x, y = [p.hardware for p in points], [p.simulated for p in points]
        values += x + y
        axes.scatter(x, y, s=16, c=COLOURS[suite], marker=MARKERS[suite], alpha=0.75, linewidths=0, label=SUITES[suite])
    if values:
        ends = [min(values) / 1.5, max(values) * 1.5]
        axes.plot(ends, ends, color="black", linewidth=0.8)
        for factor in (0.8, 1.25):
            axes.plot(ends, [factor * end for end in ends], color="grey", linewidth=0.6, linestyle="--")
        axes.set_xlim(ends)
        axes.set_ylim(ends)
    axes.set_xscale("log")
    axes.set_yscale("log")
    if values and max(values) > RANGE_WITHOUT_MINOR_TICKS * min(values):
        axes.minorticks_off()
    axes.set_title(title)
    axes.set_xlabel("hardware")
    axes.set_ylabel("simulated")


def draw_scatters(results, metrics, path):
    rows = (len(metrics) + 1) // 2
    figure, axes = plt.subplots(rows, 2, figsize=(9, 4.2 * rows), squeeze=False)
    for place, (metric, title) in zip(axes.flat, metrics):
        scatter(place, results, metric, title)
    axes.flat[0].legend(loc="upper left", fontsize=7)
    figure.tight_layout()
    save(figure, path)


def draw_stalls(results, path):
    """Two stacked bars per launch, hardware above simulated."""
    shares = []
    for launch in results.launches:
        hardware, simulated = stall_shares(launch.hardware), stall_shares(launch.simulated)
        if hardware and simulated:
            shares.append((launch.label, hardware, simulated))
    if not shares:
        return False
    everything = sorted({reason for _, *sides in shares for side in sides for reason in side})
    weight = {r: sum(side.get(r, 0) for _, *sides in shares for side in sides) for r in everything}
    shown = [r for r in everything if weight[r] / (2 * len(shares)) >= SHARE_WORTH_A_COLUMN]
    shown.sort(key=lambda r: -weight[r])
    names = [*shown, SMALLER_THAN_SHOWN]
    colours = plt.get_cmap("tab20").colors
    figure, axes = plt.subplots(figsize=(9, 0.28 * len(shares) + 1.5))
    for place, (_, *sides) in enumerate(shares):
        for offset, side in zip((-0.2, 0.2), sides):
            left = 0.0
            for number, name in enumerate(names):
                rest = sum(side.get(r, 0) for r in everything if r not in shown)
                width = 100 * (rest if name == SMALLER_THAN_SHOWN else side.get(name, 0))
                if width >= VISIBLE_SHARE:
                    axes.barh(place + offset, width, 0.36, left=left, color=colours[number % len(colours)])
                left += width
    for number, name in enumerate(names):
        axes.barh(0, 0, color=colours[number % len(colours)], label=name.replace("_", " "))
    axes.set_yticks(range(len(shares)), [label for label, *_ in shares], fontsize=7)
    axes.invert_yaxis()
    axes.set_ylim(len(shares) - 0.4, -0.6)
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of waiting in %; upper bar hardware, lower bar simulated")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=5, fontsize=7)
    save(figure, path)
    return True


def draw(results, folder):
    """(plots of time and traffic, plots of stall reasons), each as (title, path below the page)."""
    folder.mkdir(parents=True, exist_ok=True)
    draw_scatters(results, TIME, folder / "cycles.svg")
    draw_scatters(results, TRAFFIC, folder / "traffic.svg")
    stalls = draw_stalls(results, folder / "stalls.svg")
    correlation = [
        ("Cycles, hardware against simulated", f"{folder.name}/cycles.svg"),
        ("Traffic of L1, L2 and DRAM, hardware against simulated", f"{folder.name}/traffic.svg"),
    ]
    return correlation, [("Stall reasons of hardware and simulator", f"{folder.name}/stalls.svg")] if stalls else []
