#include "frontend/wtrace/wtrace_frame.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <google/protobuf/stubs/logging.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace warpsim::wtrace {
namespace {

constexpr int kCompressionLevel = 19;
constexpr std::uint64_t kHashedHeaderBytes = kFrameHeaderBytes - 8;

void put_u16(std::string& out, std::uint16_t value) {
  out.push_back(static_cast<char>(value & 0xff));
  out.push_back(static_cast<char>(value >> 8));
}

void put_u64(std::string& out, std::uint64_t value) {
  put_u32(out, static_cast<std::uint32_t>(value));
  put_u32(out, static_cast<std::uint32_t>(value >> 32));
}

std::uint64_t get(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = count; i-- > 0;) {
    value = (value << 8) | static_cast<std::uint8_t>(bytes[at + i]);
  }
  return value;
}

std::uint64_t hash(std::string_view first, std::string_view second) {
  XXH64_state_t* state = XXH64_createState();
  XXH64_reset(state, 0);
  XXH64_update(state, first.data(), first.size());
  XXH64_update(state, second.data(), second.size());
  const std::uint64_t value = XXH64_digest(state);
  XXH64_freeState(state);
  return value;
}

std::uint64_t max_message_bytes(FrameKind kind) {
  return kind == FrameKind::kGroup ? kMaxGroupBytes : kMaxOtherBytes;
}

const char* name_of(FrameKind kind) {
  switch (kind) {
    case FrameKind::kFunction:
      return "function";
    case FrameKind::kGroup:
      return "group";
    case FrameKind::kIndex:
      return "index";
  }
  return "unknown";
}

std::string file_header() {
  std::string header(kMagic.begin(), kMagic.end());
  put_u16(header, kFormatVersion);
  put_u16(header, kMinReaderVersion);
  put_u32(header, 0);
  return header;
}

}  // namespace

FrameWriter::FrameWriter(std::string path) : path_(std::move(path)), file_(path_) {
  put(file_header());
}

void FrameWriter::put(const std::string& bytes) {
  file_.write(bytes);
  offset_ += bytes.size();
}

trace::FrameRef FrameWriter::write(FrameKind kind, const google::protobuf::MessageLite& message) {
  if (message.ByteSizeLong() > max_message_bytes(kind)) {
    throw TraceError(fmt::format("{}: a {} of {} bytes does not fit the format; expected at most {}", path_,
                                 name_of(kind), message.ByteSizeLong(), max_message_bytes(kind)));
  }
  const std::string raw = message.SerializeAsString();
  std::string payload(ZSTD_compressBound(raw.size()), '\0');
  const std::size_t stored = ZSTD_compress(payload.data(), payload.size(), raw.data(), raw.size(), kCompressionLevel);
  if (ZSTD_isError(stored) != 0U) {
    throw TraceError(fmt::format("{}: cannot be compressed: {}", path_, ZSTD_getErrorName(stored)));
  }
  payload.resize(stored);

  std::string header;
  put_u32(header, static_cast<std::uint32_t>(kind));
  put_u32(header, 0);
  put_u64(header, stored);
  put_u64(header, raw.size());
  put_u64(header, hash(header, payload));
  trace::FrameRef ref;
  ref.set_offset(offset_);
  ref.set_bytes(header.size() + payload.size());
  put(header);
  put(payload);
  return ref;
}

void FrameWriter::finish(const trace::Index& index) {
  const trace::FrameRef ref = write(FrameKind::kIndex, index);
  std::string footer;
  put_u64(footer, ref.offset());
  put_u64(footer, ref.bytes());
  put_u64(footer, hash(file_header(), footer));
  footer.append(kEndMagic.begin(), kEndMagic.end());
  put(footer);
  file_.publish();
}

FrameFile::FrameFile(std::string path)
    : path_(std::move(path)), descriptor_(open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
  struct stat status {};
  if (descriptor_ < 0 || fstat(descriptor_, &status) != 0) {
    const int reason = errno;
    if (descriptor_ >= 0) {
      close(descriptor_);
    }
    throw TraceError(fmt::format("{}: cannot be opened: {}; expected a .wtrace file", path_, std::strerror(reason)));
  }
  try {
    size_ = static_cast<std::uint64_t>(status.st_size);
    if (!S_ISREG(status.st_mode) || size_ < kFileHeaderBytes + kFooterBytes) {
      fail(0, fmt::format("{} bytes is too short for a .wtrace; expected at least {}", size_,
                          kFileHeaderBytes + kFooterBytes));
    }
    check_ends();
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

FrameFile::~FrameFile() {
  close(descriptor_);
}

void FrameFile::fail(std::uint64_t offset, const std::string& what) const {
  throw TraceError(fmt::format("{}: at byte {}: {}", path_, offset, what));
}

std::string FrameFile::read_bytes(std::uint64_t offset, std::uint64_t count) const {
  std::string bytes(count, '\0');
  std::uint64_t done = 0;
  while (done < count) {
    const ssize_t got = pread(descriptor_, bytes.data() + done, count - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      fail(offset + done, fmt::format("cannot be read: {}; expected {} more bytes",
                                      got == 0 ? "the file ends" : std::strerror(errno), count - done));
    }
    done += static_cast<std::uint64_t>(got);
  }
  return bytes;
}

void FrameFile::check_ends() {
  const std::string header = read_bytes(0, kFileHeaderBytes);
  if (std::string_view(header).substr(0, kMagic.size()) != std::string_view(kMagic.data(), kMagic.size())) {
    fail(0, "not a .wtrace: wrong magic bytes; expected \\x89WTRACE\\n");
  }
  const std::uint64_t needed = get(header, 10, 2);
  if (needed > kFormatVersion) {
    fail(10, fmt::format("format version {} needs a reader of version {}; expected at most {} (use a newer warpsim)",
                         get(header, 8, 2), needed, kFormatVersion));
  }
  const std::uint64_t at = size_ - kFooterBytes;
  const std::string footer = read_bytes(at, kFooterBytes);
  if (std::string_view(footer).substr(24) != std::string_view(kEndMagic.data(), kEndMagic.size())) {
    fail(at + 24, "the file is incomplete: no footer; expected WTRACEND as its last bytes");
  }
  if (get(footer, 16, 8) != hash(header, std::string_view(footer).substr(0, 16))) {
    fail(at, "the checksum of header and footer differs; expected an unchanged file");
  }
  index_.set_offset(get(footer, 0, 8));
  index_.set_bytes(get(footer, 8, 8));
}

void FrameFile::read(const trace::FrameRef& ref, FrameKind kind, google::protobuf::MessageLite& message) const {
  const std::uint64_t end = size_ - kFooterBytes;
  if (ref.offset() < kFileHeaderBytes || ref.offset() > end || ref.bytes() < kFrameHeaderBytes ||
      ref.bytes() > end - ref.offset()) {
    fail(ref.offset(), fmt::format("a {} of {} bytes would be here; expected it between bytes {} and {}", name_of(kind),
                                   ref.bytes(), kFileHeaderBytes, end));
  }
  const std::string frame = read_bytes(ref.offset(), ref.bytes());
  const std::string_view header = std::string_view(frame).substr(0, kFrameHeaderBytes);
  const std::string_view payload = std::string_view(frame).substr(kFrameHeaderBytes);
  const std::uint64_t raw_bytes = get(header, 16, 8);
  if (get(header, 0, 4) != static_cast<std::uint32_t>(kind) || get(header, 8, 8) != payload.size()) {
    fail(ref.offset(), fmt::format("frame of kind {} with {} bytes; expected kind {} ({}) with {}", get(header, 0, 4),
                                   get(header, 8, 8), static_cast<std::uint32_t>(kind), name_of(kind), payload.size()));
  }
  if (get(header, 24, 8) != hash(header.substr(0, kHashedHeaderBytes), payload)) {
    fail(ref.offset(), fmt::format("the checksum of this {} differs; expected an unchanged file", name_of(kind)));
  }
  if (raw_bytes > max_message_bytes(kind) || ZSTD_getFrameContentSize(payload.data(), payload.size()) != raw_bytes) {
    fail(ref.offset(), fmt::format("the header of this {} states {} bytes; expected that of its zstd frame, at most {}",
                                   name_of(kind), raw_bytes, max_message_bytes(kind)));
  }
  const std::unique_ptr<char[]> raw(new char[raw_bytes]);
  const std::size_t got = ZSTD_decompress(raw.get(), raw_bytes, payload.data(), payload.size());
  if (ZSTD_isError(got) != 0U || got != raw_bytes) {
    fail(ref.offset(), fmt::format("this {} cannot be decompressed: {}; expected one zstd frame", name_of(kind),
                                   ZSTD_isError(got) != 0U ? ZSTD_getErrorName(got) : "wrong size"));
  }
  const google::protobuf::LogSilencer silencer;  // a string that is not UTF-8 is written to stderr otherwise
  if (!message.ParseFromArray(raw.get(), static_cast<int>(raw_bytes))) {
    fail(ref.offset(), fmt::format("this {} is not the expected Protobuf message", name_of(kind)));
  }
}

}  // namespace warpsim::wtrace
