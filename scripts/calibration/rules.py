"""Which value of a description a probe determines.

A rule says: with the right value of `keys` the simulated probe equals the measured one. The value is found by simulating the same
program. Rules are in the order of the way of an access: what is nearer to the SM is known first.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    keys: tuple  # dotted; all get the same value
    probe: str  # name of the function of the program
    value: str  # name of its value
    step: float  # first change of the key, in its unit
    least: float
    most: float
    whole: bool = True  # the key is a whole number
    partitions: bool = False  # only for an L2 of two partitions


RULES = (
    # Of fixed latencies the machine code itself has the number of cycles; those below are awaited.
    Rule(("sm.execution.transcendental.latency_cycles",), "instruction_latency", "latency.ex2_f32", 4, 4, 200),
    Rule(("sm.execution.bit_count.latency_cycles",), "instruction_latency", "latency.popc_b32", 4, 4, 200),
    Rule(("sm.execution.find_bit.latency_cycles",), "instruction_latency", "latency.bfind_u32", 4, 4, 200),
    Rule(("sm.execution.bit_reverse.latency_cycles",), "instruction_latency", "latency.brev_b32", 4, 4, 200),
    Rule(("sm.execution.shuffle.latency_cycles",), "instruction_latency", "latency.shfl_b32", 4, 4, 200),
    Rule(("sm.execution.reduce_lanes.latency_cycles",), "instruction_latency", "latency.redux_s32", 4, 4, 200),
    Rule(("sm.execution.transcendental.initiation_cycles",), "instruction_rate", "rate.ex2_f32", 4, 1, 64),
    Rule(("sm.execution.bit_count.initiation_cycles",), "instruction_rate", "rate.popc_b32", 4, 1, 64),
    Rule(("sm.execution.fp64.initiation_cycles",), "instruction_rate", "rate.fma_f64", 2, 1, 128),
    Rule(("sm.load_store.shared_latency_cycles",), "shared", "latency.shared", 4, 2, 200),
    Rule(("sm.l1.hit_latency_cycles",), "l1", "latency.l1.8KiB", 4, 2, 400),
    Rule(("sm.barriers.latency_cycles",), "barriers", "latency.barrier.warps1", 4, 1, 200),
    Rule(("sm.sub_core.membar_device_cycles",), "barriers", "latency.fence", 20, 1, 5000),
    Rule(("crossbar.response_port_latency_cycles",), "l2_latency", "latency.l2.mean", 20, 1, 2000),
    Rule(("l2_fabric.request_latency_cycles", "l2_fabric.response_latency_cycles"), "atomics", "latency.atomic.p90", 10, 1,
         1000, partitions=True),
    Rule(("crossbar.port_response_bytes_per_cycle",), "l2_rate_of_sm", "rate.l2.read.one_sm", -20, 8, 1024, whole=False),
    Rule(("crossbar.port_request_bytes_per_cycle",), "l2_rate_of_sm", "rate.l2.write.one_sm", -5, 4, 1024, whole=False),
    Rule(("l2.data_bytes_per_cycle",), "l2_rate", "rate.l2.read.all", -8, 4, 256, whole=False),
    Rule(("l2.request_bytes_per_cycle",), "l2_rate", "rate.l2.write.all", -4, 4, 256, whole=False),
    Rule(("dram.return_latency_cycles",), "dram_latency", "latency.dram.scattered.p10", 20, 1, 2000),
    Rule(("block_scheduler.launch_overhead_cycles",), "launch", "launch.interval.all_sms.stores", 300, 0, 50000),
)

# Values that are simulated for the page as well and determine no key.
CHECKED = ("constant", "code", "l2_capacity", "dram_read", "dram_write", "dram_copy", "blocks")
