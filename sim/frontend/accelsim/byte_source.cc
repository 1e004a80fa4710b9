#include "frontend/accelsim/byte_source.h"

#include <fmt/format.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/input_file.h"

namespace warpsim {
namespace {

constexpr std::size_t kInputBytes = 128UL * 1024;
constexpr std::uint64_t kXzMemoryLimit = 192ULL << 20U;
constexpr int kZstdWindowLog = 27;

// The compressed file, in chunks, with the offset for messages.
class FileChunks {
 public:
  explicit FileChunks(const std::string& path) : path_(path), buffer_(kInputBytes) {
    std::string fault;
    file_ = open_input(path, fault);
    if (file_ == nullptr) {
      throw TraceError(fmt::format("{}: cannot be read: {}; expected a trace or a listing", path, fault));
    }
    refill();
  }
  // Makes [begin(), end()) not empty unless the file has ended.
  void refill() {
    offset_ += end_;
    begin_ = 0;
    errno = 0;
    end_ = std::fread(buffer_.data(), 1, buffer_.size(), file_.get());
    if (end_ == 0 && std::ferror(file_.get()) != 0) {
      throw TraceError(fmt::format("{}: cannot be read at offset {}: {}", path_, offset_, std::strerror(errno)));
    }
  }
  const char* data() const { return buffer_.data() + begin_; }
  std::size_t size() const { return end_ - begin_; }
  void consume(std::size_t bytes) { begin_ += bytes; }

  [[noreturn]] void fail(std::string_view format, std::string_view what) const {
    throw TraceError(fmt::format("{}: offset {}: {} {}", path_, offset_ + begin_, format, what));
  }
  [[noreturn]] void fail_truncated(std::string_view format) const {
    fail(format, "data ends in the middle; expected a complete file (was it truncated?)");
  }

 private:
  std::string path_;
  FilePointer file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;
};

class PlainSource final : public ByteSource {
 public:
  explicit PlainSource(FileChunks input) : input_(std::move(input)) {}
  std::size_t read(char* out, std::size_t size) override {
    if (input_.size() == 0) {
      input_.refill();
    }
    const std::size_t bytes = std::min(size, input_.size());
    std::memcpy(out, input_.data(), bytes);
    input_.consume(bytes);
    return bytes;
  }

 private:
  FileChunks input_;
};

class GzipSource final : public ByteSource {
 public:
  explicit GzipSource(FileChunks input) : input_(std::move(input)) {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) {
      input_.fail("gzip", "decoder cannot be set up");
    }
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  std::size_t read(char* out, std::size_t size) override {
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out == size) {
      if (input_.size() == 0) {
        input_.refill();
      }
      if (input_.size() == 0) {
        if (!between_members_) {
          input_.fail_truncated("gzip");
        }
        return 0;
      }
      step();
    }
    return size - stream_.avail_out;
  }

 private:
  void step() {
    const std::size_t before = input_.size();
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input_.data()));
    stream_.avail_in = static_cast<uInt>(before);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    input_.consume(before - stream_.avail_in);
    between_members_ = result == Z_STREAM_END;
    if (between_members_) {
      inflateReset(&stream_);
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      input_.fail("gzip", fmt::format("data is corrupt ({}); expected an undamaged file",
                                      stream_.msg != nullptr ? stream_.msg : "bad checksum"));
    }
  }

  FileChunks input_;
  z_stream stream_{};
  bool between_members_ = false;
};

class XzSource final : public ByteSource {
 public:
  explicit XzSource(FileChunks input) : input_(std::move(input)) {
    if (lzma_stream_decoder(&stream_, kXzMemoryLimit, LZMA_CONCATENATED) != LZMA_OK) {
      input_.fail("xz", "decoder cannot be set up");
    }
  }
  ~XzSource() override { lzma_end(&stream_); }
  XzSource(const XzSource&) = delete;
  XzSource& operator=(const XzSource&) = delete;

  std::size_t read(char* out, std::size_t size) override {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out);
    stream_.avail_out = size;
    while (stream_.avail_out == size && !ended_) {
      if (input_.size() == 0) {
        input_.refill();
      }
      step();
    }
    return size - stream_.avail_out;
  }

 private:
  void step() {
    const std::size_t before = input_.size();
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(input_.data());
    stream_.avail_in = before;
    const lzma_ret result = lzma_code(&stream_, before == 0 ? LZMA_FINISH : LZMA_RUN);
    input_.consume(before - stream_.avail_in);
    if (result == LZMA_STREAM_END) {
      ended_ = true;
    } else if (result == LZMA_BUF_ERROR) {
      input_.fail_truncated("xz");
    } else if (result == LZMA_MEMLIMIT_ERROR) {
      input_.fail("xz", fmt::format("data requires more than {} MiB of memory", kXzMemoryLimit >> 20U));
    } else if (result != LZMA_OK) {
      input_.fail("xz", "data is corrupt; expected an undamaged file");
    }
  }

  FileChunks input_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool ended_ = false;
};

class ZstdSource final : public ByteSource {
 public:
  explicit ZstdSource(FileChunks input) : input_(std::move(input)), stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr ||
        ZSTD_isError(ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, kZstdWindowLog)) != 0) {
      input_.fail("zstd", "decoder cannot be set up");
    }
  }
  std::size_t read(char* out, std::size_t size) override {
    ZSTD_outBuffer output{out, size, 0};
    while (output.pos == 0) {
      if (input_.size() == 0) {
        input_.refill();
      }
      const bool at_end = input_.size() == 0;
      if (at_end && between_frames_) {
        return 0;
      }
      ZSTD_inBuffer source{input_.data(), input_.size(), 0};
      const std::size_t result = ZSTD_decompressStream(stream_.get(), &output, &source);
      input_.consume(source.pos);
      if (ZSTD_isError(result) != 0) {
        input_.fail("zstd", fmt::format("data is corrupt or too demanding ({}); expected an undamaged file",
                                        ZSTD_getErrorName(result)));
      }
      between_frames_ = result == 0;
      if (at_end && output.pos == 0 && !between_frames_) {
        input_.fail_truncated("zstd");
      }
    }
    return output.pos;
  }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  FileChunks input_;
  std::unique_ptr<ZSTD_DStream, Free> stream_;
  bool between_frames_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> open_byte_source(const std::string& path) {
  FileChunks input(path);
  const std::string_view head(input.data(), input.size());
  if (head.starts_with("\x1f\x8b")) {
    return std::make_unique<GzipSource>(std::move(input));
  }
  if (head.starts_with(std::string_view("\xfd"
                                        "7zXZ\0",
                                        6))) {
    return std::make_unique<XzSource>(std::move(input));
  }
  if (head.starts_with("\x28\xb5\x2f\xfd")) {
    return std::make_unique<ZstdSource>(std::move(input));
  }
  return std::make_unique<PlainSource>(std::move(input));
}

}  // namespace warpsim
