"""The shipped description that is nearest to a GPU, and the values that follow from the GPU's properties alone."""

from pathlib import Path

from .files import fail, read_description

LINE_BYTES = 128


def capability_of(device):
    return f"{device['compute_capability_major']}.{device['compute_capability_minor']}"


def multiprocessors(description):
    return sum(description["topology.gpc_tpcs"] + [description.get("topology.singleton_tpcs", 0)]) * description[
        "topology.sms_per_tpc"
    ]


def nearest_description(configs, device):
    """Path of the shipped GPU of this capability whose number of SMs, then size of L2, is nearest."""
    candidates = []
    for path in sorted(Path(configs).glob("*.yaml")):
        if path.name == "test_tiny.yaml":
            continue
        description = read_description(path)
        if str(description["compute_capability"]) == capability_of(device):
            distance = abs(multiprocessors(description) - int(device["sms"]))
            l2 = slices_of(description) * description["l2.num_sets"] * description["l2.num_ways"] * LINE_BYTES
            candidates.append((distance, abs(l2 - int(device["l2_bytes"])), path))
    if not candidates:
        fail(f"no shipped GPU has compute capability {capability_of(device)}; --base names a description to start with")
    return min(candidates)[2]


def slices_of(description):
    return description["address_map.num_partitions"] * description["address_map.slices_per_partition"]


def memory_values(base, device):
    """Clock and channels from the clock and the width that the driver reports, slices and ways from the size of L2."""
    reported_mhz = int(device["memory_khz"]) / 1000
    # The driver reports half of a pin's rate; descriptions have the clock whose transfers the bursts are made of.
    candidates = [reported_mhz * factor for factor in (0.25, 0.5, 1, 2)]
    dram_mhz = min(candidates, key=lambda mhz: abs(mhz / base["clocks.dram_mhz"] - 1))
    transfers = 2 * reported_mhz / dram_mhz
    channel_bits = base["dram.burst_bytes"] * 8 / base["dram.burst_cycles"] / transfers
    channels = int(device["memory_bus_bits"]) / channel_bits
    partitions = base["address_map.num_partitions"]
    unit = 8 * partitions if channels > 32 else partitions  # slices of a partition stay even where there are many
    channels = max(unit, -(-int(channels) // unit) * unit)
    slices = channels * slices_of(base) // base["address_map.num_channels"]
    lines = int(device["l2_bytes"]) / slices / LINE_BYTES
    stacks = max(
        count for count in range(partitions, base["address_map.num_stacks"] + 1, partitions) if channels % count == 0
    )
    of_bus = f"derived: {device['memory_bus_bits']} bits as channels of {channel_bits:g}"
    of_l2 = f"derived: {device['l2_bytes']} bytes in {slices} slices (device query)"
    return {
        "clocks.dram_mhz": (round(dram_mhz), "vendor: device query, memory clock"),
        "address_map.num_channels": (channels, of_bus),
        "address_map.num_stacks": (stacks, "assumed: as in the base, if the channels can be spread evenly"),
        "address_map.slices_per_partition": (slices // partitions, "assumed: slices for each channel as in the base"),
        "l2.num_sets": (base["l2.num_sets"], "assumed: as in the base"),
        "l2.num_ways": (max(1, round(lines / base["l2.num_sets"])), of_l2),
    }


def device_values(base, device):
    """{dotted key: (value, source)}"""
    values = {
        "name": (device["name"], ""),
        "summary": (f"Calibrated, {device['sms']} SMs", "vendor: device query"),
        "device_memory_mib": (int(device["memory_bytes"]) >> 20, "vendor: device query"),
        "clocks.core_mhz": (round(int(device["core_khz"]) / 1000), "vendor: device query, maximum clock of the SMs"),
    }
    core_ratio = values["clocks.core_mhz"][0] / base["clocks.core_mhz"]
    l2_mhz = round(base["clocks.l2_mhz"] * core_ratio)
    values["clocks.l2_mhz"] = (l2_mhz, "assumed: ratio to the core clock as in the base")
    values.update(memory_values(base, device))
    return values


def limits(base, device):
    """(dotted key, described, reported) of the limits that the driver reports and that differ."""
    pairs = {
        "occupancy.threads_per_block": "threads_per_block",
        "occupancy.blocks_per_sm": "blocks_per_sm",
        "occupancy.registers_per_sm": "registers_per_sm",
        "occupancy.registers_per_block": "registers_per_block",
        "occupancy.shared_bytes_per_block": "shared_bytes_per_block",
        "occupancy.shared_bytes_per_block_default": "shared_bytes_per_block_default",
        "occupancy.shared_reserved_per_block_bytes": "shared_reserved_per_block_bytes",
    }
    found = []
    for key, reported in pairs.items():
        if reported in device and int(device[reported]) != base[key]:
            found.append((key, base[key], int(device[reported])))
    return found
