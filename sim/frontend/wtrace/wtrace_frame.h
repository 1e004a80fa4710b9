// The file around the messages of the native trace format: a header, frames (one Protobuf message each, compressed by
// zstd and guarded by an xxHash64), and a footer with the position of the index. Format: docs/trace-format.md, section
// "File".
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "base/output_file.h"
#include "frontend/wtrace/wtrace_format.h"
#include "wtrace.pb.h"

namespace warpsim::wtrace {

// PATH appears when all is written (base/output_file.h). Throws UserError on any failure to write, TraceError for a
// message that does not fit the format.
class FrameWriter {
 public:
  explicit FrameWriter(std::string path);
  FrameWriter(const FrameWriter&) = delete;
  FrameWriter& operator=(const FrameWriter&) = delete;

  trace::FrameRef write(FrameKind kind, const google::protobuf::MessageLite& message);
  // Writes the index and the footer and gives the file its name.
  void finish(const trace::Index& index);

 private:
  void put(const std::string& bytes);

  std::string path_;
  OutputFile file_;
  std::uint64_t offset_ = 0;
};

// An open file, read by position: several kernels can use it at a time. Throws TraceError.
class FrameFile {
 public:
  // Checks header and footer.
  explicit FrameFile(std::string path);
  ~FrameFile();
  FrameFile(const FrameFile&) = delete;
  FrameFile& operator=(const FrameFile&) = delete;

  const std::string& path() const { return path_; }
  const trace::FrameRef& index() const { return index_; }
  // Reads, checks and parses a frame.
  void read(const trace::FrameRef& ref, FrameKind kind, google::protobuf::MessageLite& message) const;

 private:
  std::string read_bytes(std::uint64_t offset, std::uint64_t count) const;
  void check_ends();
  [[noreturn]] void fail(std::uint64_t offset, const std::string& what) const;

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  trace::FrameRef index_;
};

}  // namespace warpsim::wtrace
