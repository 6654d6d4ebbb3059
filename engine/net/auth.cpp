// SPDX-License-Identifier: MIT
// BLAKE2b and random bytes of libsodium; the key file.
#include "engine/net/auth.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/io/input.h"
#include "engine/net/error.h"
#include "engine/net/fingerprint.h"

namespace rodeo::engine {
namespace {

constexpr std::ptrdiff_t kKeyDigits = 2 * sizeof(Key);

void prepare_sodium() {
  static const bool is_ready = sodium_init() >= 0;
  if (!is_ready) throw NetError("libsodium cannot be used here: the system gives no random numbers");
}

std::string explain_errno() { return std::generic_category().message(errno); }

bool is_readable_by_others(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && (status.st_mode & (S_IRGRP | S_IROTH)) != 0;
}

constexpr std::array<std::string_view, kRoleCount> kRoleNames{"operator", "instructor", "viewer"};
constexpr std::size_t kLargestKeyFile = 4096;

/// No more than what shows that it is too long.
std::string read_key_text(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    throw IoError(fmt::format("cannot read the key '{}': {}", path, explain_errno()));
  }
  if (S_ISDIR(status.st_mode)) {
    throw IoError(fmt::format("cannot read the key '{}': {}", path, std::generic_category().message(EISDIR)));
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) throw IoError(fmt::format("cannot read the key '{}': {}", path, explain_errno()));
  std::string text(kLargestKeyFile, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

/// Of digits, with white space among them.
Key build_key(const std::string& path, const std::string& text) {
  Key key{};
  std::size_t length = 0;
  const int failed =
      sodium_hex2bin(key.data(), key.size(), text.data(), text.size(), " \t\r\n", &length, nullptr);
  const auto digits =
      std::count_if(text.begin(), text.end(), [](unsigned char c) { return std::isxdigit(c); });
  if (failed == 0 && length == key.size() && digits == kKeyDigits) return key;
  throw IoError(
      fmt::format("{}: a key is {} hexadecimal digits, 32 bytes: make one with 'rodeo packet --new-key FILE'",
                  path, kKeyDigits));
}

std::optional<Role> find_role(std::string_view word) {
  const auto found = std::find(kRoleNames.begin(), kRoleNames.end(), word);
  if (found == kRoleNames.end()) return {};
  return static_cast<Role>(found - kRoleNames.begin());
}

/// True if lines name roles; then the keys are in `file`.
bool read_roles(const std::string& path, const std::string& text, KeyFile& file) {
  std::istringstream lines(text);
  bool has_any = false;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream in(line);
    std::string word;
    if (!(in >> word)) continue;
    const std::optional<Role> role = find_role(word);
    if (!role && !has_any) return false;
    if (!role)
      throw IoError(
          fmt::format("{}: '{}' is no role: operator, instructor or viewer", path, word.substr(0, 20)));
    std::optional<Key>& key = file.keys[static_cast<std::size_t>(*role)];
    if (key) throw IoError(fmt::format("{}: there are two keys of the {}", path, word));
    std::string digits;
    std::getline(in, digits);
    const Key made = build_key(path, digits);
    if (std::ranges::find(file.keys, std::optional(made)) != file.keys.end())
      throw IoError(fmt::format("{}: two roles have one key: nobody could tell them apart", path));
    key = made;
    if (!std::exchange(has_any, true)) {
      file.key = made;
      file.role = *role;
    }
  }
  return has_any;
}

void write_all(int file, const std::string& path, const std::string& text) {
  const bool is_written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int error = errno;
  const bool is_closed = ::close(file) == 0;
  if (is_written && is_closed) return;
  ::unlink(path.c_str());
  throw IoError(fmt::format("cannot write the key '{}': {}", path, std::generic_category().message(error)));
}

}  // namespace

KeyFile build_key_from_file(const std::string& path) {
  prepare_sodium();
  const std::string text = read_key_text(path);
  KeyFile file;
  if (!read_roles(path, text, file)) {
    file.key = build_key(path, text);
    file.keys[0] = file.key;
  }
  if (is_readable_by_others(path)) {
    file.warnings.push_back(
        fmt::format("{}: others on this computer can read the key: chmod 600 '{}'", path, path));
  }
  return file;
}

void write_new_key(const std::string& path) {
  prepare_sodium();
  Key key{};
  randombytes_buf(key.data(), key.size());
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) throw IoError(fmt::format("cannot write the key '{}': {}", path, explain_errno()));
  write_all(file, path, build_hex(key) + "\n");
}

Nonce build_nonce() {
  prepare_sodium();
  Nonce nonce{};
  randombytes_buf(nonce.data(), nonce.size());
  return nonce;
}

std::uint64_t build_random_id() {
  prepare_sodium();
  std::uint64_t id = 0;
  while (id == 0) randombytes_buf(&id, sizeof id);  // 0 means none in a state packet
  return id;
}

Nonce calc_nonce(const Nonce& first, const Key& key, std::uint64_t epoch) noexcept {
  if (epoch == 0) return first;
  std::array<std::uint8_t, sizeof epoch> number{};
  WireWriter(number).put(epoch);
  const Tag tag = Authenticator(key, first).calc_tag(number);
  Nonce nonce{};
  std::copy_n(tag.begin(), nonce.size(), nonce.begin());
  return nonce;
}

Tag Authenticator::calc_tag(Bytes message) const noexcept {
  crypto_generichash_state state;
  crypto_generichash_init(&state, key_.data(), key_.size(), kTagBytes);
  crypto_generichash_update(&state, nonce_.data(), nonce_.size());
  crypto_generichash_update(&state, message.data(), message.size());
  Tag tag{};
  crypto_generichash_final(&state, tag.data(), tag.size());
  return tag;
}

bool Authenticator::is_tag(Bytes message, Bytes tag) const noexcept {
  const Tag right = calc_tag(message);
  return tag.size() == right.size() && sodium_memcmp(tag.data(), right.data(), right.size()) == 0;
}

}  // namespace rodeo::engine
