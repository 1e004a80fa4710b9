#include "frontend/workload/block_stash.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/error.h"

namespace warpsim {
namespace {

[[noreturn]] void fail(const char* what) {
  throw TraceError(
      fmt::format("a temporary file for thread blocks that are out of order cannot be {}: {}; expected "
                  "room in the folder for temporary files",
                  what, std::strerror(errno)));
}

template <typename T>
void write(std::FILE* file, const T* data, std::size_t count) {
  if (count > 0 && std::fwrite(data, sizeof(T), count, file) != count) {
    fail("written");
  }
}

template <typename T>
void read(std::FILE* file, T* data, std::size_t count) {
  if (count > 0 && std::fread(data, sizeof(T), count, file) != count) {
    fail("read");
  }
}

}  // namespace

void BlockStash::open() {
  file_.reset(std::tmpfile());
  if (file_ == nullptr) {
    fail("created");
  }
}

void BlockStash::put(const BlockTrace& block) {
  if (file_ == nullptr) {
    open();
  }
  if (fseeko(file_.get(), end_, SEEK_SET) != 0) {
    fail("written");
  }
  const std::array<std::uint64_t, 3> sizes{block.warp_begin.size(), block.instructions.size(), block.addresses.size()};
  write(file_.get(), sizes.data(), sizes.size());
  write(file_.get(), block.warp_begin.data(), block.warp_begin.size());
  write(file_.get(), block.instructions.data(), block.instructions.size());
  write(file_.get(), block.addresses.words().data(), block.addresses.size());
  offsets_.emplace(block.linear_index, end_);
  end_ = ftello(file_.get());
}

bool BlockStash::take(std::uint64_t linear_index, BlockTrace& out) {
  const auto found = offsets_.find(linear_index);
  if (found == offsets_.end()) {
    return false;
  }
  if (fseeko(file_.get(), found->second, SEEK_SET) != 0) {
    fail("read");
  }
  std::array<std::uint64_t, 3> sizes{};
  read(file_.get(), sizes.data(), sizes.size());
  out.linear_index = linear_index;
  out.warp_begin.resize(sizes[0]);
  out.instructions.resize(sizes[1]);
  std::vector<std::uint64_t> words(sizes[2]);
  read(file_.get(), out.warp_begin.data(), out.warp_begin.size());
  read(file_.get(), out.instructions.data(), out.instructions.size());
  read(file_.get(), words.data(), words.size());
  out.addresses.assign(std::move(words));
  offsets_.erase(found);
  return true;
}

}  // namespace warpsim
