// SPDX-License-Identifier: MIT
#include "kinematics/bondgraph/exported.h"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

namespace rodeo::bondgraph {
namespace {

/// The record at `offset`, if the file is that long.
template <class Record>
std::optional<Record> read_at(std::string_view file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(Record)) return std::nullopt;
  Record record;
  std::memcpy(&record, file.data() + offset, sizeof record);
  return record;
}

std::optional<std::string_view> cut(std::string_view file, const Elf64_Shdr& section) {
  if (section.sh_offset > file.size() || section.sh_size > file.size() - section.sh_offset)
    return std::nullopt;
  return file.substr(section.sh_offset, section.sh_size);
}

void add_functions(std::string_view symbols, std::string_view names, std::set<std::string>& found) {
  for (std::uint64_t at = 0; const auto symbol = read_at<Elf64_Sym>(symbols, at); at += sizeof(Elf64_Sym)) {
    const bool is_offered = ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF;
    if (!is_offered || symbol->st_name >= names.size()) continue;
    const std::string_view name = names.substr(symbol->st_name);
    found.insert(std::string(name.substr(0, name.find('\0'))));
  }
}

}  // namespace

std::optional<std::set<std::string>> read_exported(const std::string& library) {
  std::ostringstream bytes;
  bytes << std::ifstream(library, std::ios::binary).rdbuf();
  const std::string file = bytes.str();
  const auto header = read_at<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_type != ET_DYN)
    return std::nullopt;
  const auto section = [&](std::uint64_t index) {
    return read_at<Elf64_Shdr>(file, header->e_shoff + index * sizeof(Elf64_Shdr));
  };
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto symbols = section(i);
    if (!symbols) return std::nullopt;
    if (symbols->sh_type != SHT_DYNSYM) continue;
    const auto names = section(symbols->sh_link);
    const auto table = cut(file, *symbols);
    const auto texts = names ? cut(file, *names) : std::nullopt;
    if (!table || !texts) return std::nullopt;
    std::set<std::string> found;
    add_functions(*table, *texts, found);
    return found;
  }
  return std::nullopt;
}

}  // namespace rodeo::bondgraph
