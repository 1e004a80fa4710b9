// The mechanisms that warpsim ships, by interface.
#pragma once

#include <vector>

#include "warpsim/library.h"

namespace warpsim {

template <typename Interface>
const std::vector<mechanism::Entry<Interface>>& shipped_mechanisms();

template <>
const std::vector<mechanism::Entry<mechanism::WarpScheduler>>& shipped_mechanisms();
template <>
const std::vector<mechanism::Entry<mechanism::Replacement>>& shipped_mechanisms();
template <>
const std::vector<mechanism::Entry<mechanism::Prefetcher>>& shipped_mechanisms();
template <>
const std::vector<mechanism::Entry<mechanism::L1Insertion>>& shipped_mechanisms();
template <>
const std::vector<mechanism::Entry<mechanism::DramScheduler>>& shipped_mechanisms();
template <>
const std::vector<mechanism::Entry<mechanism::BlockPlacement>>& shipped_mechanisms();
template <>
const std::vector<mechanism::Entry<mechanism::AddressHash>>& shipped_mechanisms();
template <>
const std::vector<mechanism::Entry<mechanism::Network>>& shipped_mechanisms();
template <>
const std::vector<mechanism::Entry<mechanism::SectorFetch>>& shipped_mechanisms();
template <>
const std::vector<mechanism::Entry<mechanism::WritePolicy>>& shipped_mechanisms();
template <>
const std::vector<mechanism::Entry<mechanism::Compression>>& shipped_mechanisms();
template <>
const std::vector<mechanism::Entry<mechanism::MissAdmission>>& shipped_mechanisms();
template <>
const std::vector<mechanism::Entry<mechanism::Arbitration>>& shipped_mechanisms();

}  // namespace warpsim
