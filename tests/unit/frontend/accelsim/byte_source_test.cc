#include "frontend/accelsim/byte_source.h"

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <catch2/catch.hpp>

#include "base/error.h"
#include "frontend/accelsim/input_stream.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

std::string gzip(const std::string& text) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(text.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

std::string xz(const std::string& text) {
  std::string out(text.size() + 4096, '\0');
  std::size_t size = 0;
  REQUIRE(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()),
                                  text.size(), reinterpret_cast<std::uint8_t*>(out.data()), &size,
                                  out.size()) == LZMA_OK);
  out.resize(size);
  return out;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::string read_all(const std::string& content) {
  const TemporaryFolder folder;
  const std::unique_ptr<ByteSource> source = open_byte_source(folder.write("file.txt", content));
  std::string text;
  std::string part(777, '\0');
  while (const std::size_t bytes = source->read(part.data(), part.size())) {
    text.append(part, 0, bytes);
  }
  return text;
}

}  // namespace

TEST_CASE("byte source: the compression is detected from the content", "[frontend]") {
  std::string text;
  for (int i = 0; i < 100'000; ++i) {
    text += std::to_string(i * 7919) + "\n";
  }
  CHECK(read_all(text) == text);
  CHECK(read_all(gzip(text)) == text);
  CHECK(read_all(xz(text)) == text);
  CHECK(read_all(zstd(text)) == text);
  CHECK(read_all("").empty());
}

TEST_CASE("byte source: several compressed streams in one file follow one another", "[frontend]") {
  CHECK(read_all(gzip("one ") + gzip("two")) == "one two");
  CHECK(read_all(xz("one ") + xz("two")) == "one two");
  CHECK(read_all(zstd("one ") + zstd("two")) == "one two");
}

TEST_CASE("byte source: a stream truncated anywhere is an error, never a short file", "[frontend]") {
  for (const std::string& whole : {gzip("some text"), xz("some text"), zstd("some text")}) {
    for (std::size_t size = 6; size < whole.size(); ++size) {
      INFO(size);
      CHECK_THROWS_AS(read_all(whole.substr(0, size)), TraceError);
    }
  }
}

TEST_CASE("byte source: a missing file and a folder are errors", "[frontend]") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(open_byte_source(folder.at("nothing")),
                    Catch::Contains("nothing: cannot be read: there is no such file"));
  CHECK_THROWS_WITH(open_byte_source(folder.at(".")), Catch::Contains("cannot be read"));
}

TEST_CASE("byte source: a window that would take too much memory is refused", "[frontend]") {
  // A zstd frame header that requests a window of 2^31 bytes: magic, descriptor 0, window byte (31 - 10) << 3.
  CHECK_THROWS_WITH(read_all(std::string("\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00", 9)), Catch::Contains("too demanding"));
}

TEST_CASE("input stream: lines, line numbers and a last line without newline", "[frontend]") {
  const TemporaryFolder folder;
  InputStream input(folder.write("file", "one\n\nthree"));
  std::string_view line;
  REQUIRE(input.next_line(line));
  CHECK(line == "one");
  CHECK(line.data()[line.size()] == '\n');
  input.unread(line);
  REQUIRE(input.next_line(line));
  CHECK(line == "one");
  REQUIRE(input.next_line(line));
  CHECK(line.empty());
  REQUIRE(input.next_line(line));
  CHECK(line == "three");
  CHECK(line.data()[line.size()] == '\n');
  CHECK(input.line_number() == 3);
  CHECK_FALSE(input.next_line(line));
  CHECK_FALSE(input.next_line(line));
}

TEST_CASE("input stream: lines across the end of the buffer are complete", "[frontend]") {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 20'000; ++i) {
    text += std::string(static_cast<std::size_t>(i % 97), 'x') + std::to_string(i) + "\n";
  }
  InputStream input(folder.write("file", text));
  std::string copy;
  for (std::string_view line; input.next_line(line);) {
    copy += std::string(line) + "\n";
  }
  CHECK(copy == text);
}

}  // namespace warpsim
