// SPDX-License-Identifier: MIT
// Ed25519ph, so that a recording is hashed piece by piece.
#include "engine/files/signature.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

#include "engine/files/checksums.h"

namespace rodeo::engine {
namespace {

namespace fs = std::filesystem;

static_assert(sizeof(SecretKey::bytes) == crypto_sign_SECRETKEYBYTES);
static_assert(sizeof(PublicKey::bytes) == crypto_sign_PUBLICKEYBYTES);
static_assert(sizeof(Signature::bytes) == crypto_sign_BYTES);

constexpr const char* kSecret = "rodeo-secret-key";
constexpr const char* kPublic = "rodeo-public-key";
constexpr const char* kSignature = "rodeo-signature";
constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 20;  // of a list of keys

[[noreturn]] void refuse(const std::string& where, const std::string& why) {
  throw SignatureError(fmt::format("{}: {}", where, why));
}

std::string explain_errno() { return std::generic_category().message(errno); }

void prepare_sodium() {
  static const bool is_ready = sodium_init() >= 0;
  if (!is_ready) throw SignatureError("libsodium cannot be used here: the system gives no random numbers");
}

template <class Bytes>
std::string to_hex(const Bytes& bytes) {
  std::string digits(2 * bytes.size() + 1, '\0');
  sodium_bin2hex(digits.data(), digits.size(), bytes.data(), bytes.size());
  digits.pop_back();
  return digits;
}

template <class Bytes>
bool from_hex(const std::string& digits, Bytes& bytes) {
  std::size_t length = 0;
  return digits.size() == 2 * bytes.size() &&
         sodium_hex2bin(bytes.data(), bytes.size(), digits.data(), digits.size(), nullptr, &length,
                        nullptr) == 0 &&
         length == bytes.size();
}

std::string read_small(const std::string& path) {
  std::error_code failure;
  if (!fs::is_regular_file(path, failure)) refuse(path, "there is no such file");
  if (fs::file_size(path, failure) > kMostBytes) refuse(path, "is too large for keys or a signature");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) refuse(path, "cannot be read");
  return text.str();
}

void write_new(const std::string& path, const std::string& text, mode_t mode) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (file < 0) throw SignatureError(fmt::format("cannot write '{}': {}", path, explain_errno()));
  const bool is_written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const std::string why = explain_errno();
  if (::close(file) == 0 && is_written) return;
  ::unlink(path.c_str());
  throw SignatureError(fmt::format("cannot write '{}': {}", path, why));
}

/// A name is one word.
std::string find_name(const std::string& path) {
  std::string name = fs::path(path).filename().string();
  for (char& c : name) {
    if (static_cast<unsigned char>(c) <= ' ') c = '_';
  }
  return name;
}

struct What {
  std::string file;       // that is signed
  std::string signature;  // where that stands
  const char* kind;       // so that a signature of one is none of the other
};

What find_what(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return {path, path + kFileSignature, "rodeo file 1\n"};
  return {(fs::path(path) / kChecksums).string(), (fs::path(path) / kFolderSignature).string(),
          "rodeo folder 1\n"};
}

/// False if the file cannot be read.
bool hash(const What& what, crypto_sign_state& state) {
  prepare_sodium();
  crypto_sign_init(&state);
  const std::string_view kind = what.kind;
  crypto_sign_update(&state, reinterpret_cast<const unsigned char*>(kind.data()), kind.size());
  std::ifstream file(what.file, std::ios::binary);
  std::array<char, 1 << 16> piece;
  while (file.read(piece.data(), piece.size()) || file.gcount() > 0) {
    crypto_sign_update(&state, reinterpret_cast<const unsigned char*>(piece.data()),
                       static_cast<unsigned long long>(file.gcount()));
  }
  return file.eof() && !file.bad();
}

}  // namespace

void write_key_pair(const std::string& name) {
  prepare_sodium();
  SecretKey secret{find_name(name), {}};
  PublicKey open{secret.name, {}};
  crypto_sign_keypair(open.bytes.data(), secret.bytes.data());
  for (const char* ending : {".key", ".pub"}) {
    if (::access((name + ending).c_str(), F_OK) == 0)
      refuse(name + ending, "is there already: choose another name with -o, a key that is lost is lost");
  }
  write_new(name + ".key", fmt::format("{} {} {}\n", kSecret, secret.name, to_hex(secret.bytes)),
            S_IRUSR | S_IWUSR);
  write_new(name + ".pub", fmt::format("{} {} {}\n", kPublic, open.name, to_hex(open.bytes)),
            S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
  sodium_memzero(secret.bytes.data(), secret.bytes.size());
}

SecretKey build_secret_key(const std::string& path) {
  prepare_sodium();
  std::istringstream words(read_small(path));
  std::string kind, digits, more;
  SecretKey key;
  if (!(words >> kind >> key.name >> digits) || kind != kSecret || !from_hex(digits, key.bytes) ||
      words >> more)
    refuse(path, "is no secret key: 'rodeo key -o NAME' makes NAME.key");
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || (status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    refuse(path, fmt::format("others on this computer may read this secret key: chmod 600 '{}'", path));
  return key;
}

std::vector<PublicKey> build_public_keys(const std::string& path) {
  prepare_sodium();
  std::vector<PublicKey> keys;
  std::istringstream lines(read_small(path));
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    std::string kind, digits, more;
    if (!(words >> kind)) continue;
    PublicKey key;
    if (!(words >> key.name >> digits) || kind != kPublic || !from_hex(digits, key.bytes) || words >> more)
      refuse(fmt::format("{}:{}", path, number), "is no public key: put lines of NAME.pub files here");
    keys.push_back(std::move(key));
  }
  if (keys.empty()) refuse(path, "has no public key: put lines of NAME.pub files here");
  return keys;
}

std::string build_hex(const PublicKey& key) { return to_hex(key.bytes); }

void sign(const std::string& path, const SecretKey& key) {
  const What what = find_what(path);
  std::error_code ignored;
  if (!fs::is_regular_file(what.file, ignored)) refuse(what.file, "is no file that could be signed");
  crypto_sign_state state;
  Signature signature{{key.name, {}}, {}};
  if (!hash(what, state)) refuse(what.file, "cannot be read for its signature");
  crypto_sign_final_create(&state, signature.bytes.data(), nullptr, key.bytes.data());
  crypto_sign_ed25519_sk_to_pk(signature.by.bytes.data(), key.bytes.data());
  ::unlink(what.signature.c_str());
  write_new(
      what.signature,
      fmt::format("{} {} {} {}\n", kSignature, key.name, to_hex(signature.by.bytes), to_hex(signature.bytes)),
      S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
}

std::optional<Signature> find_signature(const std::string& path) {
  const What what = find_what(path);
  std::error_code ignored;
  if (!fs::exists(what.signature, ignored)) return std::nullopt;
  std::istringstream words(read_small(what.signature));
  std::string kind, key, digits, more;
  Signature signature;
  const bool is_well = words >> kind >> signature.by.name >> key >> digits && kind == kSignature &&
                       from_hex(key, signature.by.bytes) && from_hex(digits, signature.bytes) &&
                       !(words >> more);
  if (!is_well) refuse(what.signature, "is damaged, or no signature of rodeo");
  return signature;
}

bool is_true(const Signature& signature, const std::string& path) {
  crypto_sign_state state;
  return hash(find_what(path), state) &&
         crypto_sign_final_verify(&state, signature.bytes.data(), signature.by.bytes.data()) == 0;
}

void check_signature(const std::string& path, const std::string& public_keys) {
  const std::vector<PublicKey> keys = build_public_keys(public_keys);
  const auto signature = find_signature(path);
  if (!signature) {
    refuse(path, fmt::format(
                     "is not signed, as --require-signature asks ({} is not there; a recording that was cut "
                     "off has none): 'rodeo build' and 'rodeo run --record' take --sign",
                     find_what(path).signature));
  }
  const auto known = std::find_if(keys.begin(), keys.end(),
                                  [&](const PublicKey& key) { return key.bytes == signature->by.bytes; });
  if (known == keys.end()) {
    refuse(path, fmt::format("is signed by '{}', whose key {:.16} is not in {}", signature->by.name,
                             build_hex(signature->by), public_keys));
  }
  if (!is_true(*signature, path))
    refuse(path,
           fmt::format("is not what {} signed: it, or its signature, is damaged or edited", known->name));
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return;
  if (const auto damage = find_damage(path); !damage.empty()) throw SignatureError(damage.front());
}

}  // namespace rodeo::engine
