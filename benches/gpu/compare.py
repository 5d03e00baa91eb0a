#!/usr/bin/env python3
"""Times our exported PTX beside NVRTC's code for the same kernel and torch's copy, in one process on one GPU.

    cargo bench --bench gpu_export -- OUT      # here, no GPU needed: OUT/*.ptx and OUT/kernels.json
    python3 benches/gpu/compare.py OUT [N]     # on a machine with an NVIDIA GPU, cuda-python and torch

Prints a line per kernel: the median of device-event times, bytes moved over it, and the ratios to NVRTC and to the copy
ceiling. Inputs are random, results are compared with NVRTC's bit for bit. Exit status 1 if any bit differs.
"""

import ctypes
import json
import pathlib
import statistics
import sys

import torch
from cuda.bindings import driver, nvrtc

NVRTC_SAXPY = b"""
extern "C" __global__ void saxpy(float a, const float* __restrict__ x, float* __restrict__ y, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = y[i] + a * x[i];
}
"""
ROUNDS, WARM_UP, BLOCK = 30, 5, 256


def check(result):
    """The values of a driver call, or an exception with the error's name."""
    status, *values = result
    if int(status) != 0:
        raise RuntimeError(f"CUDA: {status}")
    return values[0] if len(values) == 1 else values


def nvrtc_function():
    """The same kernel, compiled by NVRTC for this GPU without contraction, as ours is."""
    major, minor = torch.cuda.get_device_capability()
    options = [f"--gpu-architecture=sm_{major}{minor}".encode(), b"--fmad=false"]
    program = check(nvrtc.nvrtcCreateProgram(NVRTC_SAXPY, b"saxpy.cu", 0, [], []))
    check(nvrtc.nvrtcCompileProgram(program, len(options), options))
    code = b" " * check(nvrtc.nvrtcGetCUBINSize(program))
    check(nvrtc.nvrtcGetCUBIN(program, code))
    return check(driver.cuModuleGetFunction(check(driver.cuModuleLoadData(code)), b"saxpy"))


def our_function(folder, kernel):
    """An exported kernel, loaded from its PTX."""
    text = (folder / kernel["file"]).read_bytes() + b"\0"
    return check(driver.cuModuleGetFunction(check(driver.cuModuleLoadData(text)), kernel["symbol"].encode()))


def arguments(kernel, values):
    """Pointers to the arguments, in the order that `kernels.json` gives: a list of kinds."""
    kept = [values[kind] for kind in kernel["arguments"]]
    return kept, (ctypes.c_void_p * len(kept))(*[ctypes.addressof(v) for v in kept])


def launch(function, grid, packed):
    check(driver.cuLaunchKernel(function, grid, 1, 1, BLOCK, 1, 1, 0, 0, ctypes.addressof(packed), 0))


def median_ms(run):
    for _ in range(WARM_UP):
        run()
    times = []
    for _ in range(ROUNDS):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record(torch.cuda.default_stream())
        run()
        end.record(torch.cuda.default_stream())
        end.synchronize()
        times.append(start.elapsed_time(end))
    return statistics.median(times)


def main():
    folder = pathlib.Path(sys.argv[1])
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 1 << 29
    kernels = json.loads((folder / "kernels.json").read_text())
    torch.manual_seed(1)
    torch.cuda.init()
    x, start = torch.rand(n, device="cuda"), torch.rand(n, device="cuda")
    y, expected = start.clone(), start.clone()
    fault = torch.zeros(48, dtype=torch.uint8, device="cuda")
    a = 1.5

    copy = median_ms(lambda: y.copy_(x))
    print(f"copy ceiling: {8 * n / copy / 1e9:.3f} TB/s  ({copy:.3f} ms, n = {n})")

    theirs = nvrtc_function()
    values = [ctypes.c_float(a), ctypes.c_uint64(x.data_ptr()), ctypes.c_uint64(expected.data_ptr()), ctypes.c_uint32(n)]
    packed = (ctypes.c_void_p * 4)(*[ctypes.addressof(v) for v in values])
    launch(theirs, -(-n // BLOCK), packed)
    torch.cuda.synchronize()
    wanted = expected.clone()
    reference = median_ms(lambda: launch(theirs, -(-n // BLOCK), packed))
    print(f"{'NVRTC saxpy':24} {reference:8.3f} ms  {12 * n / reference / 1e9:.3f} TB/s")

    failed = False
    for kernel in kernels:
        units = n // kernel["elements_per_item"]
        y.copy_(start)
        grid = kernel["blocks"] or -(-units // BLOCK)
        kept, packed = arguments(kernel, {
            "a": ctypes.c_float(a),
            "x": ctypes.c_uint64(x.data_ptr()),
            "y": ctypes.c_uint64(y.data_ptr()),
            "length": ctypes.c_uint64(units),
            "count": ctypes.c_uint64(units),
            "fault": ctypes.c_uint64(fault.data_ptr()),
        })
        function = our_function(folder, kernel)
        launch(function, grid, packed)
        torch.cuda.synchronize()
        same = bool(torch.equal(y.view(torch.int32), wanted.view(torch.int32))) and int(fault.sum()) == 0
        failed |= not same
        ms = median_ms(lambda: launch(function, grid, packed))
        rate = 12 * n / ms / 1e9
        print(f"{kernel['name']:24} {ms:8.3f} ms  {rate:.3f} TB/s  of NVRTC {reference / ms:.3f}  "
              f"of ceiling {rate / (8 * n / copy / 1e9):.3f}  bits {'equal' if same else 'DIFFER'}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
