"""A kernel as machine code of compute capability 9.0, and its execution as a trace in the text format of Accel-Sim.

A kernel is a tree of instructions and loops. Each instruction has its text, as cuobjdump prints it, and rules for its
addresses and active lanes. The same tree gives the listing, whose control bits state all dependences, and the executed
instructions of each warp. Nothing computes values: trip counts and addresses come from the rules.
"""

import re

FULL = 0xFFFFFFFF
LINE = 128  # bytes of a cache line
SHARED_BASE = 0x7F0000000000  # generic windows, as drivers place them: far from global memory
LOCAL_BASE = 0x7F1000000000
# Cycles until another instruction can read a result, from the stall counts of nvcc (configs/families/cc_9_0.yaml).
FIXED_CYCLES = {"IMAD.WIDE": 5, "ISETP": 13, "FSETP": 13, "ULDC": 12, "HFMA2": 5}
ARITHMETIC_CYCLES = 4
ADDRESS_CYCLES = 1  # more for a register that an access to memory reads
VARIABLE = ("LDG", "LDS", "STG", "STS", "LDC", "S2R", "MUFU", "ATOMG", "RED")
CONTROL_STALL = {"BRA": 5, "EXIT": 5, "BAR": 6, "BSSY": 2, "BSYNC": 5}
WRITE_BARRIERS = 4  # 0 to 3 are for results, 4 and 5 for operands that have been read
READ_BARRIERS = 2
MOST_STALL = 15


def width(opcode):
    """Registers of the data of an access."""
    for suffix, registers in ((".64", 2), (".128", 4)):
        if suffix in opcode:
            return registers
    return 1


class Instruction:
    """`address`: from a Warp to the address of lane 0 and the stride of the lanes, or to the addresses of all active
    lanes. `lanes`: the mask, or from a Warp to the mask; 0 means that the predicate is off."""

    def __init__(self, text, address=None, lanes=FULL):
        self.text = text
        self.address = address
        self.lanes = lanes
        words = text.split(None, 2) if text.startswith("@") else [""] + text.split(None, 1)
        self.guard = words[0].lstrip("@!")
        self.opcode = words[1]
        self.name = self.opcode.split(".")[0]
        self.operands = words[2] if len(words) > 2 else ""
        self.variable = self.name in VARIABLE
        self.memory = self.name in ("LDG", "LDS", "STG", "STS", "ATOMG", "RED")
        self.bytes = 4 * width(self.opcode) if self.memory else 0
        self.first_registers = ([], [])  # destinations and sources as a trace names them
        self.writes, self.reads = self.registers()
        self.stall = CONTROL_STALL.get(self.name, 1)
        self.write_barrier = 7
        self.read_barrier = 7
        self.waits = 0
        self.pc = 0
        self.target = None

    def registers(self):
        writes, reads = [], [self.guard] if self.guard else []
        fields = [field.strip() for field in self.operands.split(",")] if self.operands else []
        stores = self.name in ("STG", "STS", "RED")
        for position, field in enumerate(fields):
            destination = position == 0 and not stores and self.name not in ("BRA", "EXIT", "BAR", "BSSY", "BSYNC")
            for kind, number in re.findall(r"(?<![\w.])(UR|R|P)(\d+)", field):
                wide = 1
                if kind == "UR":
                    wide = 2
                elif self.memory and "[" in field:
                    wide = 2 if ".64" in field else 1
                elif self.memory and (stores or destination):
                    wide = width(self.opcode)
                elif self.name == "LDC" and destination:
                    wide = width(self.opcode)
                elif self.opcode == "IMAD.WIDE" and position in (0, 3):
                    wide = 2
                # The carry of IADD3 is its second operand.
                carry = kind == "P" and self.name == "IADD3" and position == 1
                (writes if destination or carry else reads).extend(f"{kind}{int(number) + i}" for i in range(wide))
                if kind == "R":
                    self.first_registers[0 if destination else 1].append(f"R{number}")
        return writes, reads

    def cycles_for(self, reader):
        cycles = FIXED_CYCLES.get(self.opcode, FIXED_CYCLES.get(self.name, ARITHMETIC_CYCLES))
        return cycles + (ADDRESS_CYCLES if reader.memory and cycles < 13 else 0)


class Loop:
    """`trips`: a number, or from a Warp to the number. The counter decides at the end; each loop level has its own."""

    def __init__(self, trips, body, level=0):
        self.trips = trips
        counter, predicate = f"R{4 + level}", f"P{level}"
        self.branch = Instruction(f"@{predicate} BRA 0x0")
        self.body = [
            Instruction(f"IADD3 {counter}, {counter}, -0x1, RZ"),
            Instruction(f"ISETP.NE.AND {predicate}, PT, {counter}, RZ, PT"),
            *body,
            self.branch,
        ]


class Warp:
    """Where an instruction is executed: block, warp of the block, and the iterations of all loops around it."""

    def __init__(self, block, warp, warps):
        self.block = block
        self.warp = warp
        self.number = block * warps + warp  # of all warps of the launch
        self.loops = []

    @property
    def i(self):
        return self.loops[-1]


class Kernel:
    def __init__(self, name, blocks, warps, body, *, registers=32, shared_bytes=0):
        self.name = name
        self.blocks = blocks
        self.warps = warps
        self.registers = registers
        self.shared_bytes = shared_bytes
        prologue = [
            Instruction("S2R R0, SR_TID.X"),
            Instruction("ULDC.64 UR4, c[0x0][0x208]"),
            Instruction("LDC.64 R2, c[0x0][0x210]"),
            Instruction("IMAD.WIDE R2, R0, 0x4, R2"),
        ]
        self.tree = [*prologue, *body, Instruction("EXIT")]
        self.code = list(flatten(self.tree))
        for index, instruction in enumerate(self.code):
            instruction.pc = 16 * index
        self.set_targets(self.tree)
        set_control_bits(self.code, list(walk(self.tree)))
        for instruction in self.code:
            instruction.front, instruction.back = self.line_parts(instruction)

    def set_targets(self, items):
        for item in items:
            if isinstance(item, Loop):
                item.branch.text = re.sub(r"0x0$", f"0x{item.body[0].pc:x}", item.branch.text)
                self.set_targets(item.body)
            elif item.target is not None:
                item.text = re.sub(r"0x0$", f"0x{item.target.pc:x}", item.text)

    @staticmethod
    def line_parts(instruction):
        destinations, sources = instruction.first_registers
        if instruction.memory and instruction.name not in ("STG", "STS", "RED"):
            destinations = destinations[:1]
        front = f"{instruction.pc:04x} "
        listed = "".join(f" {register}" for register in destinations)
        read = "".join(f" {register}" for register in sources)
        back = f" {len(destinations)}{listed} {instruction.opcode} {len(sources)}{read} {instruction.bytes}"
        return front, back

    def listing(self):
        lines = ["# The encodings hold only the control bits; all other bits are zero.", "", "\tcode for sm_90", ""]
        lines.append(f"\t\tFunction : {self.name}")
        for instruction in self.code:
            lines.append(f"        /*{instruction.pc:04x}*/  {instruction.text} ;  /* 0x{0:016x} */")
            lines.append(f"{'':40}/* 0x{control_word(instruction):016x} */")
        return "\n".join(lines) + "\n"

    def header(self):
        return f"""-kernel name = {self.name}
-kernel id = 1
-grid dim = ({self.blocks},1,1)
-block dim = ({32 * self.warps},1,1)
-shmem = {self.shared_bytes}
-shmem reserve = 0
-nregs = {self.registers}
-binary version = 90
-cuda stream id = 0
-shmem base_addr = 0x{SHARED_BASE:016x}
-local mem base_addr = 0x{LOCAL_BASE:016x}
-accelsim tracer version = 5
-enable lineinfo = 0
-cluster dim = (1,1,1)
-local size = 0
-function id = 0

#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate
"""

    def path(self, items, warp):
        for item in items:
            if not isinstance(item, Loop):
                yield executed(item, warp)
                continue
            trips = item.trips(warp) if callable(item.trips) else item.trips
            for trip in range(trips):
                warp.loops.append(trip)
                yield from self.path(item.body[:-1], warp)
                warp.loops.pop()
                yield f"{item.branch.front}{FULL if trip + 1 < trips else 0:08x}{item.branch.back} {item.body[0].pc}"

    def write(self, folder):
        """Writes kernelslist.g, the trace and the listing. Returns the number of executed instructions."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "kernelslist.g").write_text("kernel-1.traceg\n")
        (folder / "func-0.sass").write_text(self.listing())
        executed_instructions = 0
        with (folder / "kernel-1.traceg").open("w") as file:
            file.write(self.header())
            for block in range(self.blocks):
                file.write(f"\n#BEGIN_TB\n\nthread block = {block},0,0\n")
                for number in range(self.warps):
                    lines = list(self.path(self.tree, Warp(block, number, self.warps)))
                    executed_instructions += len(lines)
                    file.write(f"\nwarp = {number}\ninsts = {len(lines)}\n" + "\n".join(lines) + "\n")
                file.write("\n#END_TB\n")
        return executed_instructions


def executed(instruction, warp):
    """The line of an executed instruction."""
    lanes = instruction.lanes(warp) if callable(instruction.lanes) else instruction.lanes
    text = f"{instruction.front}{lanes:08x}{instruction.back}"
    if not instruction.memory:
        return f"{text} {instruction.target.pc if instruction.target else 0}"
    where = instruction.address(warp)
    if isinstance(where, tuple):
        return f"{text} 1 0x{where[0]:x} {where[1]} 0"
    deltas = " ".join(str(there - here) for here, there in zip(where, where[1:]))
    return f"{text} 2 0x{where[0]:x} {deltas} 0"


def flatten(items):
    for item in items:
        if isinstance(item, Loop):
            yield from flatten(item.body)
        else:
            yield item


def walk(items):
    """The instructions in an order that contains each pair that can follow each other: loops run twice."""
    for item in items:
        if isinstance(item, Loop):
            yield from walk(item.body)
            yield from walk(item.body)
        else:
            yield item


def set_control_bits(code, order):
    """Stall counts and barriers that keep all dependences in this order, and so in any number of iterations."""
    variable = [instruction for instruction in code if instruction.variable]
    for number, instruction in enumerate(variable):
        if instruction.writes:
            instruction.write_barrier = number % WRITE_BARRIERS
    while one_pass(order, variable):
        pass


class Hazards:
    """What an instruction must wait for, while one walks through the code."""

    def __init__(self):
        self.time = 0
        self.results = {}  # register: instruction of fixed latency that writes it, and when it issued
        self.loads = {}  # register: instruction of variable latency that writes it
        self.readers = {}  # register: instructions of variable latency that may not have read it yet

    def barriers_before(self, instruction, variable):
        """The barriers that it waits for; gives a barrier to those whose operands it overwrites."""
        waits = 0
        for register in (*instruction.reads, *instruction.writes):
            if register in self.loads:
                waits |= 1 << self.loads[register].write_barrier
        for register in instruction.writes:
            for reader in self.readers.get(register, ()):
                if reader.write_barrier != 7 and waits >> reader.write_barrier & 1:
                    continue
                if reader.read_barrier == 7:
                    reader.read_barrier = WRITE_BARRIERS + variable.index(reader) % READ_BARRIERS
                waits |= 1 << reader.read_barrier
        return waits

    def clear(self, waits):
        self.loads = {r: load for r, load in self.loads.items() if not waits >> load.write_barrier & 1}
        for register, readers in self.readers.items():
            self.readers[register] = [
                reader for reader in readers if not (waits >> reader.read_barrier & 1 or waits >> reader.write_barrier & 1)
            ]

    def cycles_missing(self, instruction):
        earliest = self.time
        for register in (*instruction.reads, *instruction.writes):
            if register in self.results:
                writer, issued = self.results[register]
                earliest = max(earliest, issued + writer.cycles_for(instruction))
        return earliest - self.time

    def issue(self, instruction):
        for register in instruction.writes:
            self.results.pop(register, None)
            self.loads.pop(register, None)
            if instruction.variable:
                self.loads[register] = instruction
            else:
                self.results[register] = (instruction, self.time)
        if instruction.variable:
            for register in instruction.reads:
                if register.startswith("R"):
                    self.readers.setdefault(register, []).append(instruction)
        self.time += instruction.stall


def one_pass(order, variable):
    """Walks once and adds what is missing. Returns whether anything was."""
    hazards = Hazards()
    changed = False
    before = None
    for instruction in order:
        waits = instruction.waits | hazards.barriers_before(instruction, variable)
        changed |= waits != instruction.waits
        instruction.waits = waits
        missing = hazards.cycles_missing(instruction)
        if before is not None and before.variable and waits and before.stall < 2:
            missing = max(missing, 1)  # a barrier counts from the second cycle on
        if missing > 0:
            before.stall = min(before.stall + missing, MOST_STALL)
            hazards.time += missing
            changed = True
        hazards.clear(waits)
        hazards.issue(instruction)
        before = instruction
    return changed


def control_word(instruction):
    """The upper half of the encoding: stall, no yield, write barrier, read barrier, barriers to wait for."""
    field = instruction.stall | 1 << 4 | instruction.write_barrier << 5
    field |= instruction.read_barrier << 8 | instruction.waits << 11
    return field << 41
