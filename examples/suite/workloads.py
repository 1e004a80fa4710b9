"""The classes of workloads. Each is a function from named parameters to a Kernel; README.md describes them.

Registers: R0 to R3 are of the prologue, R4 to R7 count loops, R8 and up hold data. A block has one SM for itself if its
registers do not fit twice; `blocks` is then the number of SMs that are used.
"""

import random

from kernel import FULL, LINE, Instruction, Kernel, Loop

GLOBAL_BASE = 0x7E0000000000
ARRAY_DISTANCE = 1 << 32  # between arrays
SM_REGISTERS = 65536
KIB = 1024
MIB = 1024 * KIB


def whole_sm(warps):
    """Registers per thread with which two blocks of this many warps do not fit on an SM."""
    return min(SM_REGISTERS // (32 * warps) // 8 * 8, 248)  # allocated by eights


def array(number):
    return GLOBAL_BASE + number * ARRAY_DISTANCE


def load(register, address, lane_bytes=4, opcode="LDG.E"):
    return access(f"{opcode} R{register}, desc[UR4][R2.64]", address, lane_bytes)


def load_lines(register, address):
    """A load of 16 bytes per lane: four lines."""
    return load(register, address, 16, "LDG.E.128")


def store_lines(register, address):
    return access(f"STG.E.128 desc[UR4][R2.64], R{register}", address, 16)


def access(text, address, lane_bytes):
    return Instruction(text, lambda warp: (address(warp), lane_bytes))


def advance(bytes_of_pointer):
    """R2 += bytes, as compilers do it for 64-bit pointers."""
    return [
        Instruction(f"IADD3 R2, P6, R2, 0x{bytes_of_pointer:x}, RZ"),
        Instruction("IADD3.X R3, RZ, R3, RZ, P6, !PT"),
    ]


def add(sum_register, register):
    return Instruction(f"FADD R{sum_register}, R{sum_register}, R{register}")


def barrier():
    return Instruction("BAR.SYNC.DEFER_BLOCKING 0x0")


def multiply_add(register, lanes=FULL):
    """Reads one register of each bank of the register file."""
    return Instruction(f"FFMA R{register}, R{register}, 0.5, R{61 - register % 2}", lanes=lanes)


def multiply_add_of_registers(register):
    """Reads two registers of one bank, without .reuse."""
    return Instruction(f"FFMA R{register}, R{register}, R60, R61")


def stream(*, mode="copy", mib=4, blocks=24, warps=16, unroll=4):
    """Reads arrays of `mib` MiB once (mode read), also writes one (copy), or reads two and writes one (triad)."""
    inputs = {"read": 1, "copy": 1, "triad": 2}[mode]
    accesses = mib * MIB // (4 * LINE)
    trips = accesses // (blocks * warps * unroll)

    def place(number, step):
        return lambda w: array(number) + (w.number + blocks * warps * (w.i * unroll + step)) * 4 * LINE

    body = []
    for number in range(inputs):
        body += [load_lines(8 + 4 * (number * unroll + step), place(number, step)) for step in range(unroll)]
    for step in range(unroll):
        if mode == "read":
            body.append(add(62, 8 + 4 * step))
        elif mode == "triad":
            body += [
                Instruction(f"FFMA R{8 + 4 * step + i}, R{8 + 4 * (unroll + step) + i}, R60, R{8 + 4 * step + i}")
                for i in range(4)
            ]
    if mode != "read":
        body += [store_lines(8 + 4 * step, place(inputs, step)) for step in range(unroll)]
    return Kernel("stream", blocks, warps, [Loop(trips, [*body, *advance(4 * LINE * unroll)])], registers=64)


def sparse(*, mib=24, blocks=12, warps=2, unroll=4):
    """Reads four bytes of each line of `mib` MiB, in order, with few warps, so that the rows of DRAM stay in order."""
    lines_of_warp = 32
    trips = mib * MIB // (lines_of_warp * LINE * blocks * warps * unroll)

    def place(step):
        return lambda w: array(0) + (w.number + blocks * warps * (w.i * unroll + step)) * lines_of_warp * LINE

    body = [load(8 + step, place(step), LINE) for step in range(unroll)]
    body += [add(62, 8 + step) for step in range(unroll)]
    return Kernel("sparse", blocks, warps, [Loop(trips, [*body, *advance(lines_of_warp * LINE * unroll)])], registers=whole_sm(warps))


def reuse(*, footprint_kib=96, rounds=8, blocks=12, warps=16, unroll=4):
    """The warps of each SM read `footprint_kib` KiB of their own, `rounds` times, always in the same order."""
    lines = footprint_kib * KIB // LINE
    trips = lines // (warps * unroll)

    def place(step):
        return lambda w: array(w.block) + ((w.i * unroll + step) * warps + w.warp) * LINE

    body = [load(8 + step, place(step)) for step in range(unroll)]
    body += [add(62, 8 + step) for step in range(unroll)]
    inner = Loop(trips, [*body, *advance(LINE * unroll * warps)])
    return Kernel("reuse", blocks, warps, [Loop(rounds, [inner], 1)], registers=whole_sm(warps))


def sparse_reuse(*, lines=768, rounds=8, blocks=12, warps=16, unroll=2):
    """The warps of each SM read the first 32 of each 128 bytes, `lines` times, `rounds` times, always in the same order."""
    at_once = 4  # by a load
    trips = lines // (warps * unroll * at_once)

    def place(step):
        def lanes(w):
            first = ((w.i * unroll + step) * warps + w.warp) * at_once
            return [array(w.block) + (first + lane // 8) * LINE + 4 * (lane % 8) for lane in range(32)]

        return lanes

    body = [Instruction(f"LDG.E R{8 + step}, desc[UR4][R2.64]", place(step)) for step in range(unroll)]
    body += [add(62, 8 + step) for step in range(unroll)]
    inner = Loop(trips, [*body, *advance(LINE * at_once * unroll * warps)])
    return Kernel("sparse_reuse", blocks, warps, [Loop(rounds, [inner], 1)], registers=whole_sm(warps))


def rows(*, words=32, rows=4, blocks=12, warps=32):
    """Each thread reads one line word by word, `rows` lines one after the other: a warp uses the same 32 lines `words` times."""

    def place(w):
        first = (w.loops[0] * blocks * warps + w.number) * 32
        return [array(0) + (first + lane) * LINE + 4 * w.loops[1] for lane in range(32)]

    body = [Instruction("LDG.E R8, desc[UR4][R2.64]", place), add(62, 8)]
    inner = Loop(words, [*body, *advance(4)])
    return Kernel("rows", blocks, warps, [Loop(rows, [inner], 1)], registers=whole_sm(warps))


def l2_reuse(*, footprint_mib=2.25, rounds=6, blocks=12, warps=16, unroll=2):
    """All SMs together read `footprint_mib` MiB, `rounds` times. In each round an SM reads another part, so that L1 does
    not hold it."""
    part = int(footprint_mib * MIB) // blocks // (4 * LINE)  # in accesses
    trips = part // (warps * unroll)

    def place(step):
        def address(w):
            piece = (w.block + w.loops[0]) % blocks
            return array(0) + (piece * part + (w.i * unroll + step) * warps + w.warp) * 4 * LINE

        return address

    body = [load_lines(8 + 4 * step, place(step)) for step in range(unroll)]
    body += [add(62, 8 + 4 * step) for step in range(unroll)]
    inner = Loop(trips, [*body, *advance(4 * LINE * unroll * warps)])
    return Kernel("l2_reuse", blocks, warps, [Loop(rounds, [inner], 1)], registers=whole_sm(warps))


def thrash(*, loop_kib=80, rounds=6, blocks=12, warps=16):
    """A loop over slightly more lines than a cache of 64 KiB holds: each line leaves an LRU cache just before its use."""
    return reuse(footprint_kib=loop_kib, rounds=rounds, blocks=blocks, warps=warps, unroll=1)


def scan(*, hot_kib=32, scan_kib=64, rounds=10, blocks=12, warps=16, hot_reads=2, unroll=4):
    """Each round reads a hot set `hot_reads` times, and then `scan_kib` KiB that nothing reads again."""
    hot = hot_kib * KIB // LINE // (warps * unroll)
    new = scan_kib * KIB // LINE // (warps * unroll)

    def hot_line(step):
        return lambda w: array(w.block) + ((w.i * unroll + step) * warps + w.warp) * LINE

    def new_line(step):
        return lambda w: array(blocks + w.block) + (((w.loops[0] * new + w.i) * unroll + step) * warps + w.warp) * LINE

    def reads(trips, register, place):
        body = [load(register + step, place(step)) for step in range(unroll)]
        body += [add(62, register + step) for step in range(unroll)]
        return [Loop(trips, [*body, *advance(LINE * unroll * warps)]), barrier()]

    phases = [item for _ in range(hot_reads) for item in reads(hot, 8, hot_line)] + reads(new, 16, new_line)
    return Kernel("scan", blocks, warps, [Loop(rounds, phases, 1)], registers=whole_sm(warps))


def stride(*, stride_bytes=512, steps=100, work=8, blocks=12, warps=8):
    """Each warp reads one line after another, `stride_bytes` apart, and computes with each before it reads the next."""

    def place(w):
        return array(0) + (w.number * steps + w.i) * stride_bytes

    body = [load(8, place), *advance(stride_bytes), add(62, 8), *(multiply_add(62) for _ in range(work))]
    return Kernel("stride", blocks, warps, [Loop(steps, body)], registers=whole_sm(warps))


def gather(*, mib=64, lines=8, steps=24, unroll=4, blocks=12, warps=16, seed=1):
    """Loads of 32 lanes from `lines` random lines of `mib` MiB."""
    generator = random.Random(seed)
    all_lines = mib * MIB // LINE

    def lanes(_):
        chosen = [generator.randrange(all_lines) for _ in range(lines)]
        return [array(0) + chosen[lane * lines // 32] * LINE + 4 * (lane % 8) for lane in range(32)]

    body = [Instruction(f"LDG.E R{8 + step}, desc[UR4][R2.64]", lanes) for step in range(unroll)]
    body += [add(62, 8 + step) for step in range(unroll)]
    return Kernel("gather", blocks, warps, [Loop(steps, [*body, *advance(4)])], registers=whole_sm(warps))


def compute(*, ilp=4, steps=64, unroll=8, registers=2, blocks=12, warps=16):
    """`ilp` chains of dependent multiply-adds in each warp, without memory. With three operands in `registers` two of
    them are in one bank of the register file."""
    operation = multiply_add_of_registers if registers == 3 else multiply_add
    body = [operation(8 + chain) for _ in range(unroll) for chain in range(ilp)]
    return Kernel("compute", blocks, warps, [Loop(steps, body)], registers=whole_sm(warps))


def mixed(*, loads=2, work=120, ilp=4, steps=8, blocks=12, warps=32):
    """Phases of `loads` loads from DRAM and `work` multiply-adds in `ilp` chains. A scheduler that lets some warps run
    ahead has arithmetic to issue while others wait."""

    def place(step):
        return lambda w: array(0) + ((w.number * steps + w.i) * loads + step) * LINE

    body = [load(8 + step, place(step)) for step in range(loads)]
    body += [add(16 + chain, 8 + chain % loads) for chain in range(ilp)]
    body += [multiply_add(16 + i % ilp) for i in range(work)]
    return Kernel("mixed", blocks, warps, [Loop(steps, [*body, *advance(LINE * loads)])], registers=whole_sm(warps))


def unbalanced(*, slow_warps=4, work=160, steps=4, phases=4, blocks=4, warps=32):
    """Phases that end at a barrier. All warps execute as many instructions: `steps` times a load and `work` dependent
    multiply-adds. The loads of `slow_warps` neighbouring warps, one of each sub-core, come from DRAM, those of the others
    from L1. They are other warps in each phase."""

    def place(w):
        first = w.loops[0] * slow_warps * 3 % warps
        if first <= w.warp < first + slow_warps:
            return array(1) + ((w.loops[0] * steps + w.i) * blocks * warps + w.number) * LINE
        return array(0) + (w.number * 8 + w.i % 2) * LINE

    body = [load(8, place), add(16, 8), *(multiply_add(16) for _ in range(work)), *advance(LINE)]
    return Kernel("unbalanced", blocks, warps, [Loop(phases, [Loop(steps, body), barrier()], 1)], registers=whole_sm(warps))


def divergent(*, lanes=32, work=24, steps=24, blocks=12, warps=16):
    """Each warp runs its code for one group of `lanes` lanes after another: 32 / `lanes` paths, each with `work`
    multiply-adds."""
    body = []
    for group in range(32 // lanes):
        mask = ((1 << lanes) - 1) << (group * lanes)
        join = Instruction("BSYNC B0")
        skip = Instruction("@P2 BRA 0x0", lanes=FULL & ~mask)
        begin = Instruction("BSSY B0, 0x0")
        begin.target = skip.target = join
        chain = [multiply_add(8 + i % 4, mask) for i in range(work)]
        body += [begin, skip, *chain, join] if lanes < 32 else chain
    return Kernel("divergent", blocks, warps, [Loop(steps, body)], registers=whole_sm(warps))


def shared(*, stride_words=1, steps=80, unroll=4, blocks=12, warps=16):
    """Loads from shared memory whose lanes are `stride_words` words apart."""
    words = 32 * stride_words

    def place(step):
        return lambda w: (4 * (w.warp + step), 4 * stride_words)

    body = [Instruction(f"LDS R{8 + step}, [R0+0x{4 * step:x}]", place(step)) for step in range(unroll)]
    body += [add(62, 8 + step) for step in range(unroll)]
    size = 4 * (words + warps + unroll)
    size += -size % 128
    return Kernel("shared", blocks, warps, [Loop(steps, body)], registers=whole_sm(warps), shared_bytes=size)


def sharing(*, mib=1.5, rounds=1, blocks=12, warps=16, unroll=2):
    """All SMs read the same lines in the same order, at about the same time."""
    accesses = int(mib * MIB) // (4 * LINE)
    trips = accesses // (warps * unroll)

    def place(step):
        return lambda w: array(0) + ((w.i * unroll + step) * warps + w.warp) * 4 * LINE

    body = [load_lines(8 + 4 * step, place(step)) for step in range(unroll)]
    body += [add(62, 8 + 4 * step) for step in range(unroll)]
    inner = Loop(trips, [*body, *advance(4 * LINE * unroll * warps)])
    return Kernel("sharing", blocks, warps, [Loop(rounds, [inner], 1)], registers=whole_sm(warps))


def writes(*, mib=12, partial=0, blocks=24, warps=16, unroll=4):
    """Writes `mib` MiB once; with `partial`, only every second word of them."""
    lane_bytes = 8 if partial else 16
    bytes_of_store = 32 * lane_bytes
    trips = mib * MIB // (blocks * warps * unroll * bytes_of_store)

    def place(step):
        return lambda w: array(0) + (w.number + blocks * warps * (w.i * unroll + step)) * bytes_of_store

    text = "STG.E desc[UR4][R2.64], R8" if partial else "STG.E.128 desc[UR4][R2.64], R8"
    body = [access(text, place(step), lane_bytes) for step in range(unroll)]
    return Kernel("writes", blocks, warps, [Loop(trips, [*body, *advance(bytes_of_store * unroll)])], registers=32)


def pollution(*, hot_kib=48, stream_lines=2, rounds=6, blocks=12, warps=16):
    """Each step reads `stream_lines` new lines with one load and, with addresses that depend on it, two lines of a hot
    set with two others, as programs do that look up the values of a list in a table."""
    steps = hot_kib * KIB // LINE // (warps * 2)
    opcode = {1: "LDG.E", 2: "LDG.E.64", 4: "LDG.E.128"}[stream_lines]

    def hot_line(step):
        return lambda w: (array(w.block) + ((w.i * 2 + step) * warps + w.warp) * LINE, 4)

    def new_lines(w):
        return array(blocks + w.block) + ((w.loops[0] * steps + w.i) * warps + w.warp) * stream_lines * LINE

    body = [load(16, new_lines, 4 * stream_lines, opcode)]
    for step, source in ((0, 16), (1, 8)):
        body.append(Instruction(f"IMAD.WIDE R24, R{source}, 0x4, R2"))
        body.append(Instruction(f"LDG.E R{8 + step}, desc[UR4][R24.64]", hot_line(step)))
    inner = Loop(steps, [*body, add(62, 9), *advance(LINE * stream_lines * warps)])
    return Kernel("pollution", blocks, warps, [Loop(rounds, [inner], 1)], registers=whole_sm(warps))


def stores(*, hot_kib=48, lines=1, rounds=6, distance=0, blocks=12, warps=16):
    """Each step writes `lines` new lines, one or four, and reads two lines of a set of `hot_kib` KiB in each SM; with `distance`, instead of
    them, the lines that were written so many steps before."""
    steps = hot_kib * KIB // LINE // (warps * 2)

    def number(w):
        return w.loops[0] * steps + w.i

    def lines_of_step(w, step):
        return array(blocks + w.block) + (step * warps + w.warp) * lines * LINE

    def hot_line(step):
        return lambda w: array(w.block) + ((w.i * 2 + step) * warps + w.warp) * LINE

    width = "" if lines == 1 else ".128"
    body = [access(f"STG.E{width} desc[UR4][R2.64], R16", lambda w: lines_of_step(w, number(w)), 4 * lines)]
    if distance:
        read = load(8, lambda w: lines_of_step(w, max(number(w) - distance, 0)), 4 * lines, f"LDG.E{width}")
        body += [read, add(62, 8)]
    else:
        body += [load(8 + step, hot_line(step)) for step in range(2)]
        body += [add(62, 8 + step) for step in range(2)]
    inner = Loop(steps, [*body, *advance(lines * LINE * warps)])
    return Kernel("stores", blocks, warps, [Loop(rounds, [inner], 1)], registers=whole_sm(warps))


def pages(*, regions=2560, region_mib=32, steps=24, unroll=4, blocks=12, warps=16, seed=1):
    """Loads of 32 lanes from one line each in 32 random regions of `regions` regions. The lines fit in L2; the addresses
    are `regions` times `region_mib` MiB apart."""
    generator = random.Random(seed)

    def lanes(_):
        chosen = [generator.randrange(regions) for _ in range(32)]
        return [array(0) + region * (region_mib * MIB + LINE) + 4 * lane for lane, region in enumerate(chosen)]

    body = [Instruction(f"LDG.E R{8 + step}, desc[UR4][R2.64]", lanes) for step in range(unroll)]
    body += [add(62, 8 + step) for step in range(unroll)]
    return Kernel("pages", blocks, warps, [Loop(steps, [*body, *advance(4)])], registers=whole_sm(warps))


def records(*, fields=4, mib=64, lines=8, steps=32, blocks=12, warps=16, seed=1):
    """Each warp reads `lines` records of 128 bytes at random places: the first field, and with the result of each field the
    next one, `fields` of them, each in a sector of its own."""

    def field(number):
        def lanes(w):
            generator = random.Random(f"{seed} {w.number} {w.i}")
            chosen = [generator.randrange(mib * MIB // LINE) for _ in range(lines)]
            return [array(0) + chosen[lane * lines // 32] * LINE + 32 * number + 4 * (lane % 8) for lane in range(32)]

        return lanes

    body = []
    for number in range(fields):
        body += [Instruction(f"LDG.E R{8 + number}, desc[UR4][R2.64+0x{32 * number:x}]", field(number)), add(62, 8 + number)]
    return Kernel("records", blocks, warps, [Loop(steps, [*body, *advance(4)])], registers=whole_sm(warps))


def camping(*, stride_kib=8, steps=16, unroll=4, blocks=12, warps=16):
    """Each warp reads lines that are `stride_kib` KiB apart, and no line twice."""

    def place(step):
        return lambda w: array(0) + ((w.i * unroll + step) * blocks * warps + w.number) * stride_kib * KIB

    body = [load(8 + step, place(step)) for step in range(unroll)]
    body += [add(62, 8 + step) for step in range(unroll)]
    return Kernel("camping", blocks, warps, [Loop(steps, [*body, *advance(4)])], registers=whole_sm(warps))


def small_grid(*, ilp=4, steps=64, unroll=8, blocks=12, warps=8):
    """As compute, with blocks of which several fit on an SM, but no more of them than there are SMs."""
    body = [multiply_add(8 + chain) for _ in range(unroll) for chain in range(ilp)]
    return Kernel("small_grid", blocks, warps, [Loop(steps, body)], registers=64)


CLASSES = {
    function.__name__: function
    for function in (
        stream,
        sparse,
        reuse,
        sparse_reuse,
        rows,
        l2_reuse,
        thrash,
        scan,
        stride,
        gather,
        compute,
        mixed,
        unbalanced,
        divergent,
        shared,
        sharing,
        writes,
        pollution,
        stores,
        pages,
        records,
        camping,
        small_grid,
    )
}
