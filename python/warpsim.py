"""warpsim as a Python module: runs traces, and kernels in PTX, on simulated GPUs in this process.

    import warpsim

    for launch in warpsim.run("vecadd.wtrace", gpu="h200", settings={"sm.l1.capacity_kib": 64}):
        print(launch.kernel, launch.cycles, launch.metrics["dram__bytes_read.sum"])

It calls the C interface of libwarpsim (include/warpsim/simulator.h), and only needs Python. The library is found
beside an installed or built warpsim; WARPSIM_SIMULATOR names another one.
"""

import ctypes
import os
from pathlib import Path
from typing import Callable, Mapping, NamedTuple, Optional

__all__ = ["Launch", "WarpsimError", "run"]

_VERSION = 1
_COMPLETE, _STOPPED, _LIMITED = 0, 1, 2


class WarpsimError(Exception):
    """The message that the program would print."""


class Launch(NamedTuple):
    """A launch that has ended, or its state at a sample, which has no metrics and no duration."""

    index: int
    kernel: str
    cycles: int
    nanoseconds: float
    counters: Mapping[str, int]  # by "component.name", summed over instances
    metrics: Mapping[str, float]  # of Nsight Compute; NaN: cannot be computed for this launch


_Callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


class _Options(ctypes.Structure):
    _fields_ = [
        ("version", ctypes.c_uint32),
        ("bytes", ctypes.c_uint32),
        ("threads", ctypes.c_uint32),
        ("keep_caches", ctypes.c_uint32),
        ("settings", ctypes.POINTER(ctypes.c_char_p)),
        ("setting_count", ctypes.c_size_t),
        ("max_cycles", ctypes.c_uint64),
        ("sample_interval_cycles", ctypes.c_uint64),
        ("user", ctypes.c_void_p),
        ("launch_done", _Callback),
        ("sample", _Callback),
        ("launch_file", ctypes.c_char_p),
    ]


def _library_paths():
    if "WARPSIM_SIMULATOR" in os.environ:
        return [os.environ["WARPSIM_SIMULATOR"]]
    here = Path(__file__).resolve()
    places = [here.parents[3] / "lib"]  # PREFIX/share/warpsim/python/warpsim.py
    places += sorted(places[0].glob("*-linux-gnu"))
    places += [here.parents[1] / "build" / "release" / "lib", here.parents[1] / "build" / "release"]
    return [str(place / "libwarpsim.so.1") for place in places if (place / "libwarpsim.so.1").exists()]


def _load():
    paths = _library_paths()
    if not paths:
        raise WarpsimError("libwarpsim.so.1 was not found beside this module; set WARPSIM_SIMULATOR to its path")
    try:
        library = ctypes.CDLL(paths[0])
        version = library.warpsim_simulator_version()
    except (OSError, AttributeError) as error:
        raise WarpsimError(f"{paths[0]}: is no library of warpsim: {error}") from error
    if version != _VERSION:
        raise WarpsimError(f"{paths[0]}: has version {version} of the interface, expected {_VERSION}")
    for name, result, arguments in (
        ("launch_index", ctypes.c_uint32, []),
        ("launch_kernel", ctypes.c_char_p, []),
        ("launch_cycles", ctypes.c_uint64, []),
        ("launch_nanoseconds", ctypes.c_double, []),
        ("launch_counter_count", ctypes.c_size_t, []),
        ("launch_counter_name", ctypes.c_char_p, [ctypes.c_size_t]),
        ("launch_counter_value", ctypes.c_uint64, [ctypes.c_size_t]),
        ("launch_metric_count", ctypes.c_size_t, []),
        ("launch_metric_name", ctypes.c_char_p, [ctypes.c_size_t]),
        ("launch_metric_value", ctypes.c_double, [ctypes.c_size_t]),
    ):
        function = getattr(library, "warpsim_" + name)
        function.restype = result
        function.argtypes = [ctypes.c_void_p, *arguments]
    return library


def _launch(library, pointer):
    def named(kind):
        count = getattr(library, f"warpsim_launch_{kind}_count")(pointer)
        name = getattr(library, f"warpsim_launch_{kind}_name")
        value = getattr(library, f"warpsim_launch_{kind}_value")
        return {name(pointer, number).decode(): value(pointer, number) for number in range(count)}

    return Launch(
        library.warpsim_launch_index(pointer),
        library.warpsim_launch_kernel(pointer).decode(),
        library.warpsim_launch_cycles(pointer),
        library.warpsim_launch_nanoseconds(pointer),
        named("counter"),
        named("metric"),
    )


def _text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def run(
    trace,
    gpu="h200",
    settings: Optional[Mapping[str, object]] = None,
    *,
    launch_file: Optional[str] = None,
    threads: int = 1,
    keep_caches: bool = False,
    max_cycles: int = 0,
    sample_interval: int = 0,
    on_sample: Optional[Callable[[Launch], Optional[bool]]] = None,
    on_launch: Optional[Callable[[Launch], Optional[bool]]] = None,
) -> list:
    """The launches of a trace, in order, as Launch; or those of a launch file, with `trace` being PTX or a cubin.

    gpu: the name of a shipped description, or a file. settings: values by key of the description, as of --set. on_sample is
    called every `sample_interval` core cycles and at the end of each launch, on_launch after each launch. A callback that
    returns False ends the run; what it raises is raised here. Raises WarpsimError.
    """
    library = _load()
    launches = []
    raised = []

    def guarded(callback):
        def call(_, pointer):
            try:
                return 1 if callback(_launch(library, pointer)) is False else 0
            except BaseException as error:  # must not pass through the library
                raised.append(error)
                return 1

        return _Callback(call)

    def finished(launch):
        launches.append(launch)
        return on_launch(launch) if on_launch else None

    texts = [f"{key}={_text(value)}".encode() for key, value in (settings or {}).items()]
    options = _Options(
        version=_VERSION,
        bytes=ctypes.sizeof(_Options),
        threads=threads,
        keep_caches=keep_caches,
        settings=(ctypes.c_char_p * len(texts))(*texts),
        setting_count=len(texts),
        max_cycles=max_cycles,
        sample_interval_cycles=sample_interval,
        launch_done=guarded(finished),
        sample=guarded(on_sample) if on_sample else _Callback(),
        launch_file=None if launch_file is None else os.fspath(launch_file).encode(),
    )
    message = ctypes.create_string_buffer(4096)
    result = library.warpsim_run(
        os.fspath(gpu).encode(), os.fspath(trace).encode(), ctypes.byref(options), message, ctypes.c_size_t(len(message))
    )
    if raised:
        raise raised[0]
    if result not in (_COMPLETE, _STOPPED, _LIMITED):
        raise WarpsimError(message.value.decode())
    return launches
