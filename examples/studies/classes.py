"""Classes of workloads that only the studies need, in addition to those of the suite (README.md)."""

from kernel import LINE, Kernel, Loop
from workloads import KIB, MIB, access, add, advance, array, barrier, load, multiply_add, whole_sm

LOADS = {1: "LDG.E", 2: "LDG.E.64", 4: "LDG.E.128"}  # by the lines that they read


def read_phase(register, size, lines, warps, place):
    """All warps of a block read `size` bytes, `lines` with each load: the place of each is given by its offset."""
    trips, rest = divmod(size, lines * LINE * warps)
    if rest:
        raise ValueError(f"{size} bytes are not a multiple of those that {warps} warps read at a time")

    def address(w):
        return place(w, (w.i * warps + w.warp) * lines * LINE)

    read = access(f"{LOADS[lines]} R{register}, desc[UR4][R2.64]", address, 4 * lines)
    return [Loop(trips, [read, add(62, register), *advance(lines * LINE * warps)]), barrier()]


def l1_phases(
    *, hot_kib=32, hot_reads=2, moves=0, scan_kib=64, again=0, lines=4, rounds=10, blocks=12, warps=16
):
    """Each round reads a hot set of the SM `hot_reads` times, which is another one in each round if `moves`, and then
    `scan_kib` KiB, which are the same in each round if `again`. A load reads `lines` lines."""
    hot, scan = hot_kib * KIB, scan_kib * KIB

    def hot_place(w, offset):
        return array(w.block) + w.loops[0] * hot * moves + offset

    def scan_place(w, offset):
        return array(blocks + w.block) + w.loops[0] * scan * (1 - again) + offset

    phases = [item for _ in range(hot_reads) for item in read_phase(8, hot, lines, warps, hot_place)]
    phases += read_phase(16, scan, lines, warps, scan_place) if scan else []
    return Kernel("l1_phases", blocks, warps, [Loop(rounds, phases, 1)], registers=whole_sm(warps))


def l2_phases(
    *, hot_mib=0.75, hot_reads=2, moves=0, scan_mib=3.0, again=0, lines=4, rounds=6, blocks=12, warps=16
):
    """As l1_phases, for sets that all SMs read together. In each phase an SM reads another part, so that L1 does not
    hold it."""
    hot, scan = int(hot_mib * MIB) // blocks, int(scan_mib * MIB) // blocks

    def piece(w, phase):
        return (w.block + w.loops[0] * (hot_reads + 1) + phase) % blocks

    def hot_place(phase):
        return lambda w, offset: array(0) + (w.loops[0] * moves * blocks + piece(w, phase)) * hot + offset

    def scan_place(w, offset):
        return array(1) + (w.loops[0] * (1 - again) * blocks + piece(w, hot_reads)) * scan + offset

    phases = [item for phase in range(hot_reads) for item in read_phase(8, hot, lines, warps, hot_place(phase))]
    phases += read_phase(16, scan, lines, warps, scan_place) if scan else []
    return Kernel("l2_phases", blocks, warps, [Loop(rounds, phases, 1)], registers=whole_sm(warps))


def one_load(*, hot_kib=12, new_lines=2, rounds=24, blocks=12, warps=16):
    """One load instruction reads the lines of a hot set, and `new_lines` new lines after each of them. A mechanism that
    knows only the pc cannot distinguish the two."""
    period = 1 + new_lines
    steps = hot_kib * KIB // LINE // warps

    def place(w):
        step, part = divmod(w.i, period)
        if part == 0:
            return array(w.block) + (step * warps + w.warp) * LINE
        number = (w.loops[0] * steps + step) * new_lines + part - 1
        return array(blocks + w.block) + (number * warps + w.warp) * LINE

    body = [load(8, place), *advance(LINE), add(62, 8)]
    loops = [Loop(rounds, [Loop(steps * period, body)], 1)]
    return Kernel("one_load", blocks, warps, loops, registers=whole_sm(warps))


def short_strides(*, stride_bytes=512, steps=6, gap=4, loads=4, work=0, rounds=8, blocks=12, warps=32):
    """Each warp reads `steps` lines at a constant distance with each of `loads` independent loads, `rounds` times at
    another place. `gap` strides after each sequence are never read: a prefetcher that continues there reads in vain."""

    def place(number):
        def address(w):
            sequence = w.loops[0] * blocks * warps + w.number
            return array(number) + (sequence * (steps + gap) + w.i) * stride_bytes

        return address

    body = [load(8 + number, place(number)) for number in range(loads)]
    body += [add(62, 8 + number) for number in range(loads)]
    body += [*(multiply_add(62) for _ in range(work)), *advance(stride_bytes)]
    loops = [Loop(rounds, [Loop(steps, body)], 1)]
    return Kernel("short_strides", blocks, warps, loops, registers=whole_sm(warps))


CLASSES = {function.__name__: function for function in (l1_phases, l2_phases, one_load, short_strides)}
