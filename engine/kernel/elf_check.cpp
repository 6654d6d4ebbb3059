// SPDX-License-Identifier: MIT
// The linker writes the section table last: a file that holds all of it and every segment has not been cut off.
#include "engine/kernel/elf_check.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include "engine/kernel/kernel.h"

namespace rodeo::engine {
namespace {

#if defined(__x86_64__)
constexpr std::uint16_t kThisProcessor = EM_X86_64;
#elif defined(__aarch64__)
constexpr std::uint16_t kThisProcessor = EM_AARCH64;
#elif defined(__riscv)
constexpr std::uint16_t kThisProcessor = EM_RISCV;
#else
#error "name this processor's EM_ number here"
#endif
constexpr unsigned char kThisOrder = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw KernelError(fmt::format("{}: {}", path, why));
}

[[noreturn]] void refuse_cut_off(const std::string& path, std::uint64_t size) {
  refuse(path, fmt::format("cut off after {} bytes: copy or build it again", size));
}

std::uint64_t find_size(const std::string& path, const std::string& where) {
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  if (!std::filesystem::exists(status)) {
    refuse(where,
           failure.value() == 0 || failure.value() == ENOENT ? "there is no such file" : failure.message());
  }
  if (!std::filesystem::is_regular_file(status)) refuse(where, "is no file");
  const std::uint64_t size = std::filesystem::file_size(path, failure);
  if (failure) refuse(where, failure.message());
  return size;
}

bool is_foreign(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
         header.e_ident[EI_DATA] != kThisOrder || header.e_type != ET_DYN;
}

/// Does a table of `count` entries lie within `size` bytes?
bool is_within(std::uint64_t offset, std::uint64_t bytes, std::uint64_t size) {
  return offset <= size && bytes <= size - offset;
}

bool holds_its_tables(const Elf64_Ehdr& header, std::uint64_t size) {
  return header.e_phentsize == sizeof(Elf64_Phdr) &&
         is_within(header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr), size) &&
         is_within(header.e_shoff, std::uint64_t{header.e_shnum} * header.e_shentsize, size);
}

}  // namespace

void check_shared_object(const std::string& path, const std::string& where) {
  const std::uint64_t size = find_size(path, where);
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(where, fmt::format("cannot be read: {}", std::generic_category().message(errno)));
  if (size == 0) refuse(where, "is empty: copy or build it again");
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (is_foreign(header)) refuse(where, "is not a kernel (no shared object of a 64-bit Linux)");
  if (!file) refuse_cut_off(where, size);
  if (header.e_machine != kThisProcessor) {
    refuse(where, "was built for another kind of processor: build it again for this one");
  }
  if (!holds_its_tables(header, size)) refuse_cut_off(where, size);
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  file.read(reinterpret_cast<char*>(segments.data()),
            static_cast<std::streamsize>(segments.size() * sizeof(Elf64_Phdr)));
  const auto is_whole = [&](const Elf64_Phdr& s) { return is_within(s.p_offset, s.p_filesz, size); };
  if (!file || !std::all_of(segments.begin(), segments.end(), is_whole)) refuse_cut_off(where, size);
}

}  // namespace rodeo::engine
