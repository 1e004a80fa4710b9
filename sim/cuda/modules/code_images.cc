#include "cuda/modules/code_images.h"

#include <elf.h>
#include <link.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/input_file.h"
#include "cuda/memory/memory_calls.h"

namespace warpsim::cuda {

namespace {

constexpr std::uint32_t kWrapperMagic = 0x466243b1;
constexpr std::uint32_t kLinkedWrapper = 2;  // version of a wrapper with code that was linked
constexpr std::size_t kHeaderBytes = 16;
constexpr char kElfMagic[] = {0x7f, 'E', 'L', 'F'};

struct Search {
  Address address = 0;
  std::uint64_t bytes = 0;  // from there to the end of the segment
};

int visit_object(dl_phdr_info* object, std::size_t /*size*/, void* data) {
  auto& search = *static_cast<Search*>(data);
  for (std::uint16_t i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    const Address begin = object->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && search.address >= begin && search.address - begin < segment.p_memsz) {
      search.bytes = segment.p_memsz - (search.address - begin);
      return 1;
    }
  }
  return 0;
}

// Number of bytes of a loaded program or library from this address on; 0 for other memory.
std::uint64_t mapped_bytes(const void* data) {
  Search search{to_address(data), 0};
  dl_iterate_phdr(visit_object, &search);
  return search.bytes;
}

// A copy of `bytes` bytes of the program's memory. The size in an image may be wrong: unmapped memory is an error, not
// a signal.
std::string copy_of_memory(const void* data, std::uint64_t bytes) {
  constexpr std::uint64_t kPiece = 1ULL << 20U;
  std::string copy;
  while (copy.size() < bytes) {
    const std::uint64_t at = copy.size();
    const std::uint64_t piece = std::min(kPiece, bytes - at);
    copy.resize(at + piece);
    const iovec to = {copy.data() + at, piece};
    const iovec from = {const_cast<char*>(static_cast<const char*>(data)) + at, piece};
    const ssize_t read = ::process_vm_readv(::getpid(), &to, 1, &from, 1, 0);
    if (read < 0 && errno != EFAULT) {
      std::memcpy(copy.data() + at, from.iov_base, piece);  // the system does not offer the call
    } else if (read != static_cast<ssize_t>(piece)) {
      throw InvalidFatBinary("code in memory: it is said to have " + std::to_string(bytes) +
                             " bytes, more than the memory there");
    }
  }
  return copy;
}

std::string program_name() {
  return program_invocation_short_name;
}

// Bytes of the container at this address, limited to its segment.
std::uint64_t container_bytes(const std::byte* container) {
  const std::uint64_t mapped = mapped_bytes(container);
  if (mapped != 0 && mapped < kHeaderBytes) {
    throw InvalidFatBinary("fat binary: it ends within its header");
  }
  const std::uint64_t bytes = fat_binary_bytes({container, kHeaderBytes});
  if (mapped != 0 && bytes > mapped) {
    throw InvalidFatBinary("fat binary: it is longer than the part of the program that holds it");
  }
  return bytes;
}

constexpr std::uint32_t kLinkedImageMagic = 0x4b4e4c57;
// The magic of a linked image; the texts follow, each after its size.
struct LinkedHeader {
  std::uint32_t magic;
  std::uint32_t texts;
  std::uint64_t bytes;  // of the whole image
};

std::uint64_t linked_image_bytes(const void* image) {
  LinkedHeader header{};
  std::memcpy(&header, image, sizeof header);
  return header.bytes;
}

std::vector<std::string> texts_of_linked(const std::string& image) {
  LinkedHeader header{};
  std::memcpy(&header, image.data(), std::min(image.size(), sizeof header));
  std::vector<std::string> texts;
  std::size_t at = sizeof header;
  for (std::uint32_t i = 0; i < header.texts; ++i) {
    std::uint64_t bytes = 0;
    if (image.size() < at + sizeof bytes) {
      throw CallError(kInvalidImage);
    }
    std::memcpy(&bytes, image.data() + at, sizeof bytes);
    at += sizeof bytes;
    if (bytes > image.size() - at) {
      throw CallError(kInvalidImage);
    }
    texts.push_back(image.substr(at, bytes));
    at += bytes;
  }
  return texts;
}

// Of the ELF file at this address: up to the end of its tables and of the last section in it.
std::uint64_t elf_bytes(const void* image) {
  Elf64_Ehdr header{};
  std::memcpy(&header, copy_of_memory(image, sizeof header).data(), sizeof header);
  const auto* const begin = static_cast<const std::byte*>(image);
  std::uint64_t bytes = std::max({sizeof header, header.e_shoff + std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr),
                                  header.e_phoff + std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr)});
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shoff > kInputLimitBytes) {
    throw CallError(kInvalidImage, "machine code in memory: its header has no table of sections");
  }
  const std::string table = copy_of_memory(begin + header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr));
  for (std::size_t at = 0; at < table.size(); at += sizeof(Elf64_Shdr)) {
    Elf64_Shdr section{};
    std::memcpy(&section, table.data() + at, sizeof section);
    if (section.sh_type != SHT_NOBITS) {
      bytes = std::max(bytes, section.sh_offset + std::min(section.sh_size, kInputLimitBytes));
    }
  }
  if (bytes > kInputLimitBytes) {
    throw CallError(kInvalidImage, "machine code in memory: it is longer than the limit of an input");
  }
  return bytes;
}

std::unique_ptr<Module> module_of_text(std::string text, std::string file) {
  auto module = std::make_unique<Module>();
  module->file = std::move(file);
  std::uint32_t magic = 0;
  std::memcpy(&magic, text.data(), std::min(text.size(), sizeof magic));
  if (magic == kLinkedImageMagic) {
    module->texts = texts_of_linked(text);
    return module;
  }
  if (text.size() >= sizeof kElfMagic && std::memcmp(text.data(), kElfMagic, sizeof kElfMagic) == 0) {
    module->image = std::move(text);
    return module;
  }
  if (is_fat_binary(std::as_bytes(std::span(text)))) {
    module->container = std::move(text);
    return module;
  }
  text.resize(std::min(text.find('\0'), text.size()));
  if (text.empty()) {
    throw CallError(kInvalidImage, module->file + " holds no code");
  }
  module->image = std::move(text);
  return module;
}

}  // namespace

std::unique_ptr<Module> embedded_module(const abi::FatBinaryWrapper* wrapper) {
  auto module = std::make_unique<Module>();
  module->file = program_name();
  if (wrapper != nullptr && wrapper->magic == kWrapperMagic) {
    module->embedded = wrapper->container;
    if (wrapper->version == kLinkedWrapper && wrapper->prelinked != nullptr) {
      for (auto* const* unit = static_cast<const std::byte* const*>(wrapper->prelinked); *unit != nullptr; ++unit) {
        module->units.push_back(*unit);
      }
    }
  }
  return module;
}

std::span<const std::byte> container_at(const std::byte* container) {
  return {container, container_bytes(container)};
}

std::span<const std::byte> container_of(const Module& module) {
  if (module.units.size() == 1) {
    return container_at(module.units.front());
  }
  if (module.embedded != nullptr) {
    return container_at(module.embedded);
  }
  return std::as_bytes(std::span(module.container));
}

namespace {

// For an image of unknown length: a text may be shorter than four bytes and has no size field.
std::uint32_t leading_number(const void* image) {
  std::uint32_t number = 0;
  for (std::uint32_t i = 0; i < sizeof number; ++i) {
    const auto byte = static_cast<const unsigned char*>(image)[i];
    number |= std::uint32_t{byte} << (8 * i);
    if (byte == 0) {
      break;
    }
  }
  return number;
}

}  // namespace

std::string linked_image(const std::vector<std::string>& texts) {
  LinkedHeader header{kLinkedImageMagic, static_cast<std::uint32_t>(texts.size()), sizeof(LinkedHeader)};
  for (const std::string& text : texts) {
    header.bytes += sizeof(std::uint64_t) + text.size();
  }
  std::string image(reinterpret_cast<const char*>(&header), sizeof header);
  for (const std::string& text : texts) {
    const std::uint64_t bytes = text.size();
    image.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
    image += text;
  }
  return image;
}

std::unique_ptr<Module> module_of_image(const void* image) {
  if (image == nullptr) {
    throw CallError(kInvalidValue);
  }
  const std::string file = program_name() + " (code in memory)";
  const std::uint32_t magic = leading_number(image);
  if (magic == kWrapperMagic) {
    std::unique_ptr<Module> module = embedded_module(static_cast<const abi::FatBinaryWrapper*>(image));
    module->file = file;
    return module;
  }
  const auto* const bytes = static_cast<const std::byte*>(image);
  if (magic == kLinkedImageMagic) {
    return module_of_text(copy_of_memory(image, linked_image_bytes(image)), file);
  }
  if (magic == kFatBinaryMagic) {
    return module_of_text(copy_of_memory(image, container_bytes(bytes)), file);
  }
  std::uint32_t elf = 0;
  std::memcpy(&elf, kElfMagic, sizeof elf);
  if (magic == elf) {
    return module_of_text(copy_of_memory(image, elf_bytes(image)), file);
  }
  return module_of_text(static_cast<const char*>(image), file);
}

std::unique_ptr<Module> module_of_file(const char* path) {
  std::string text;
  std::string fault;
  if (!read_input(path == nullptr ? "" : path, kInputLimitBytes, text, fault)) {
    throw CallError(kFileNotFound);
  }
  return module_of_text(text, path);
}

Module& load_module(Context& context, std::unique_ptr<Module> module) {
  Module& added = context.add_module(std::move(module));
  try {
    context.load(added);
  } catch (...) {
    context.remove_module(added);
    throw;
  }
  return added;
}

Module& known_module(Context& context, ModuleHandle module) {
  if (!context.is_module(module)) {
    throw CallError(kInvalidHandle);
  }
  return *module;
}

}  // namespace warpsim::cuda
