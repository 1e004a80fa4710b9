// Runs PTX on the emulator, one thread per row of inputs: for tests of instructions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpsim::test {

// Values as bits, in registers a, b, c and e (d is the result).
using Row = std::vector<std::uint64_t>;

// Executes `instructions` for each row and returns the rows' d. `types` are those of d, a, b, ...: words of PTX such as
// "b32" or "f64"; a "pred" is 0 or 1. Throws PtxError and KernelFault.
std::vector<std::uint64_t> run_ptx(const std::string& instructions, const std::vector<std::string>& types,
                                   const std::vector<Row>& rows);
// For one row.
std::uint64_t run_row(const std::string& instructions, const std::vector<std::string>& types, const Row& row);

// Numbers as bits and back.
std::uint64_t bits(float value);
std::uint64_t bits(double value);
float single(std::uint64_t bits);
double from_bits(std::uint64_t bits);

// Values of 32 or 64 bits with all special cases, then so many random ones; deterministic.
std::vector<std::uint32_t> sample_words(std::size_t random);
std::vector<std::uint64_t> sample_long_words(std::size_t random);
std::vector<float> sample_singles(std::size_t random);
std::vector<double> sample_doubles(std::size_t random);

}  // namespace warpsim::test
