// SPDX-License-Identifier: MIT
#include "engine/files/checksums.h"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "engine/files/signature.h"

namespace rodeo::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHashBytes = 64;  // b2sum's
constexpr std::size_t kHashDigits = 2 * kHashBytes;
constexpr std::string_view kGap = "  ";  // b2sum's, between the digits and the name

/// What a build may write: where it is there, it is listed.
constexpr std::array kBuilt{"kernel.c",         "rodeo_kernel.h", "scene.json",
                            "certificate.json", "source.json",    "meshes/sources.json"};

struct Entry {
  std::string checksum;
  std::string name;
};

[[noreturn]] void refuse(const std::string& where, const std::string& why) {
  throw std::runtime_error(fmt::format("{}: {}", where, why));
}

std::optional<std::string> read_file(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return file ? std::optional(bytes.str()) : std::nullopt;
}

std::vector<std::string> list_files(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) names.push_back(entry.path().lexically_relative(folder).string());
  }
  std::erase(names, kChecksums);
  std::erase(names, kFolderSignature);  // of these very lines
  std::sort(names.begin(), names.end());
  return names;
}

/// A name that b2sum would have to quote, or that leads out of the folder, is none of ours.
bool is_inside(const fs::path& name) {
  const std::string text = name.string();
  return !text.empty() && name.is_relative() && text.find_first_of("\\\n\r") == std::string::npos &&
         std::find(name.begin(), name.end(), fs::path("..")) == name.end();
}

std::optional<Entry> read_line(const std::string& line) {
  if (line.size() <= kHashDigits + kGap.size() || line.compare(kHashDigits, kGap.size(), kGap) != 0)
    return std::nullopt;
  Entry entry{line.substr(0, kHashDigits), line.substr(kHashDigits + kGap.size())};
  if (!is_inside(entry.name)) return std::nullopt;
  return entry;
}

/// None if the text is not what write_checksums writes.
std::optional<std::vector<Entry>> read_entries(const std::string& text) {
  std::vector<Entry> entries;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    auto entry = read_line(line);
    if (!entry) return std::nullopt;
    entries.push_back(std::move(*entry));
  }
  if (entries.empty() || text.back() != '\n') return std::nullopt;
  return entries;
}

std::optional<std::string> find_fault(const fs::path& folder, const Entry& entry) {
  const fs::path path = folder / entry.name;
  const auto bytes = read_file(path);
  if (!bytes) return fmt::format("{}: is missing: build the folder again", path.string());
  if (calc_checksum(*bytes) == entry.checksum) return std::nullopt;
  return fmt::format(
      "{}: is not what 'rodeo build' wrote (damaged or edited, see {}): build the folder again",
      path.string(), kChecksums);
}

}  // namespace

std::string calc_checksum(std::string_view bytes) {
  static const bool is_ready = sodium_init() >= 0;
  if (!is_ready) throw std::runtime_error("libsodium cannot be used on this machine");
  std::array<unsigned char, kHashBytes> hash{};
  crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                     bytes.size(), nullptr, 0);
  std::string digits(kHashDigits + 1, '\0');
  sodium_bin2hex(digits.data(), digits.size(), hash.data(), hash.size());
  digits.resize(kHashDigits);
  return digits;
}

void write_checksums(const std::string& folder) {
  std::string text;
  for (const std::string& name : list_files(folder)) {
    const auto bytes = read_file(fs::path(folder) / name);
    if (!bytes) refuse((fs::path(folder) / name).string(), "cannot be read for its checksum");
    if (!is_inside(name))
      refuse((fs::path(folder) / name).string(), "has a name that checksums.txt cannot hold");
    text += calc_checksum(*bytes) + std::string(kGap) + name + '\n';
  }
  const fs::path path = fs::path(folder) / kChecksums;
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) refuse(path.string(), "cannot be written");
}

std::vector<std::string> find_damage(const std::string& folder, const std::vector<std::string>& needed) {
  const fs::path path = fs::path(folder) / kChecksums;
  const auto text = read_file(path);
  if (!text) {
    return {fmt::format("{}: has no {}: it is not whole, or an older rodeo built it: build it again", folder,
                        kChecksums)};
  }
  const auto entries = read_entries(*text);
  if (!entries) return {fmt::format("{}: is cut off or damaged: build the folder again", path.string())};
  std::vector<std::string> faults;
  for (const Entry& entry : *entries) {
    if (const auto fault = find_fault(folder, entry)) faults.push_back(*fault);
  }
  std::vector<std::string> must = needed;
  for (const char* name : kBuilt) {
    std::error_code ignored;
    if (fs::exists(fs::path(folder) / name, ignored)) must.emplace_back(name);
  }
  for (const std::string& name : must) {
    const bool is_listed =
        std::any_of(entries->begin(), entries->end(), [&](const Entry& e) { return e.name == name; });
    if (!is_listed)
      faults.push_back(fmt::format("{}: does not list {}: build the folder again", path.string(), name));
  }
  return faults;
}

}  // namespace rodeo::engine
