// The bytes of a file, decompressed. Plain, gzip, xz and zstd files are distinguished by their first bytes, not by
// name.
//
// Memory is also bounded for malicious files: xz may use 192 MiB (its strongest preset needs 65), zstd windows may
// have 128 MiB. A file that ends inside a compressed stream, or fails its checksum, is a TraceError with the offset in
// the compressed file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace warpsim {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Up to `size` decompressed bytes into `out`; 0 only at the end of the file.
  virtual std::size_t read(char* out, std::size_t size) = 0;
};

// Throws TraceError if the file cannot be opened.
std::unique_ptr<ByteSource> open_byte_source(const std::string& path);

}  // namespace warpsim
