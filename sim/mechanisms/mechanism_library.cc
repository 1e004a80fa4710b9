#include "mechanisms/mechanism_library.h"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <xxhash.h>

#include <cstring>
#include <set>

#include "base/error.h"
#include "base/input_file.h"
#include "mechanisms/mechanism_name.h"

namespace warpsim {

namespace {

constexpr const char* kEntryPoint = "warpsim_library";

// Why the file is no complete shared library of 64 bits: the dynamic linker maps what the headers promise and would
// end the process where the file ends early.
const char* library_fault(const std::string& file) {
  Elf64_Ehdr header;
  if (file.size() < sizeof(header)) {
    return "the file is too short";
  }
  std::memcpy(&header, file.data(), sizeof(header));
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_type != ET_DYN || header.e_phentsize != sizeof(Elf64_Phdr)) {
    return "the file is not a shared library";
  }
  const std::uint64_t size = file.size();
  const std::uint64_t table = std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr);
  if (header.e_phoff > size || table > size - header.e_phoff) {
    return "the file is truncated";
  }
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, file.data() + header.e_phoff + i * sizeof(segment), sizeof(segment));
    if (segment.p_offset > size || segment.p_filesz > size - segment.p_offset) {
      return "the file is truncated";
    }
  }
  return nullptr;
}

[[noreturn]] void refuse(const std::string& path, const std::string& why, const char* expected) {
  throw ConfigError(fmt::format("{}: {}; expected {}", path, why, expected));
}

}  // namespace

MechanismLibrary::MechanismLibrary(const std::string& path) : path_(path) {
  const auto file = require_input<ConfigError>(path, "a shared library with mechanisms");
  if (const char* const fault = library_fault(file); fault != nullptr) {
    refuse(path, fault, "a shared library with mechanisms");
  }
  hash_ = fmt::format("{:016x}", XXH64(file.data(), file.size(), 0));
  // A path without a slash would be searched for in the system's folders.
  const std::string exact = path.find('/') == std::string::npos ? "./" + path : path;
  void* const library = dlopen(exact.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    refuse(path, fmt::format("cannot be loaded: {}", dlerror()), "a shared library with mechanisms");
  }
  using EntryPoint = const mechanism::LibraryInfo* (*)();
  const auto entry_point = reinterpret_cast<EntryPoint>(dlsym(library, kEntryPoint));
  const mechanism::LibraryInfo* const info = entry_point == nullptr ? nullptr : entry_point();
  if (info == nullptr) {
    refuse(path, fmt::format("the library does not define '{}'", kEntryPoint),
           "a library with WARPSIM_LIBRARY of warpsim/library.h");
  }
  if (info->interface_version != mechanism::kInterfaceVersion) {
    refuse(
        path, fmt::format("the library is made for version {} of the interface", info->interface_version),
        fmt::format("version {}: compile it with the headers of this warpsim", mechanism::kInterfaceVersion).c_str());
  }
  if (info->pointer_bytes != sizeof(void*) || info->string_layout != mechanism::kStringLayout) {
    refuse(path, "the library is compiled for another C++ library or another size of pointers",
           "the C++ library of this warpsim (libstdc++)");
  }
  info->declare(declared_);
  check_entries<mechanism::WarpScheduler>();
  check_entries<mechanism::Replacement>();
  check_entries<mechanism::Prefetcher>();
  check_entries<mechanism::L1Insertion>();
  check_entries<mechanism::DramScheduler>();
  check_entries<mechanism::BlockPlacement>();
  check_entries<mechanism::AddressHash>();
  check_entries<mechanism::Network>();
  check_entries<mechanism::SectorFetch>();
  check_entries<mechanism::WritePolicy>();
  check_entries<mechanism::Compression>();
  check_entries<mechanism::MissAdmission>();
  check_entries<mechanism::Arbitration>();
}

template <typename Interface>
void MechanismLibrary::check_entries() const {
  std::set<std::string> names;
  for (const mechanism::Entry<Interface>& entry : entries<Interface>()) {
    if (!is_mechanism_name(entry.name) || entry.sentence == nullptr || entry.make_factory == nullptr) {
      refuse(path_, fmt::format("the library declares a mechanism '{}'", entry.name == nullptr ? "" : entry.name),
             "names of lower-case letters, digits and '_', each with a sentence");
    }
    if (!names.insert(entry.name).second) {
      refuse(path_, fmt::format("the library declares '{}' twice for one interface", entry.name), "different names");
    }
  }
}

}  // namespace warpsim
