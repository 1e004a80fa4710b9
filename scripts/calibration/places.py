"""Groups of SMs: GPCs from the clusters that they share, partitions of L2 from latencies of atomic operations."""

from .chips import multiprocessors

# Atomic operations are done at home: the two sides of a GPU with two partitions differ by more than the places in one.
LEAST_SIDE_CYCLES = 60


def clusters(measured):
    """{least SM: SMs} of the SMs that shared clusters; singletons are alone."""
    groups = {}
    for name, value in measured.items():
        if name.startswith("cluster.sm"):
            groups.setdefault(int(value.median), []).append(int(name[len("cluster.sm"):]))
    return groups


def latencies(measured):
    """{SM: cycles of each word}"""
    table = {}
    for name, value in measured.items():
        if name.startswith("side.sm"):
            sm, word = name[len("side.sm"):].split(".word")
            table.setdefault(int(sm), {})[int(word)] = value.median
    return table


def sides(measured):
    """{SM: 0 or 1}, or None where all words are equally near to all SMs.

    SMs of one side see the same words as near: the sign of the correlation with the first SM.
    """
    table = latencies(measured)
    if not table:
        return None
    centred = {}
    for sm, words in table.items():
        middle = (max(words.values()) + min(words.values())) / 2
        centred[sm] = {word: cycles - middle for word, cycles in words.items()}
    first = centred[min(centred)]
    spread = sorted(table[min(table)].values())
    count = len(spread)
    if spread[count * 9 // 10] - spread[count // 10] < LEAST_SIDE_CYCLES:
        return None
    return {
        sm: 0 if sum(value * first[word] for word, value in words.items()) > 0 else 1 for sm, words in centred.items()
    }


def place_values(base, device, measured):
    """({dotted key: (value, source)}, [what is not known])"""
    groups = clusters(measured)
    sms_per_tpc = base["topology.sms_per_tpc"]
    side_of = sides(measured)
    if groups:
        gpcs = sorted((group for group in groups.values() if len(group) > sms_per_tpc), key=min)
        single = [sm for group in groups.values() if len(group) <= sms_per_tpc for sm in group]
        tpcs = [len(group) // sms_per_tpc for group in gpcs]
        values = {
            "topology.gpc_tpcs": (tpcs, "measured: SMs that share clusters"),
            "topology.singleton_tpcs": (len(single) // sms_per_tpc, "measured: SMs without clusters"),
        }
        if side_of is None:
            return values, ["partitions of L2: atomic operations do not tell sides apart"]
        values["topology.gpc_l2_partition"] = (
            [side_of[group[0]] for group in gpcs],
            "measured: latency of atomic operations on 256 words by each SM",
        )
        if single:
            side = side_of[single[0]]
            of_side = [i for i, group in enumerate(gpcs) if side_of[group[0]] == side]
            values["topology.singleton_gpc"] = (of_side[0], "assumed: the first GPC of the same partition (measured)")
        return values, []
    if multiprocessors(base) == int(device["sms"]):
        return {}, ["GPCs: no clusters (they exist from 9.0 on), so those of the base are kept"]
    gpcs = len(base["topology.gpc_tpcs"])
    tpcs = int(device["sms"]) // sms_per_tpc
    even = [tpcs // gpcs + (1 if i < tpcs % gpcs else 0) for i in range(gpcs)]
    even = [count for count in even if count]
    values = {
        "topology.gpc_tpcs": (even, "assumed: as many GPCs as in the base, filled evenly"),
        "topology.gpc_l2_partition": (base["topology.gpc_l2_partition"][: len(even)], "assumed: as in the base"),
    }
    return values, ["GPCs: no clusters (they exist from 9.0 on), so the SMs are spread evenly"]
