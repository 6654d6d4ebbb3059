// SPDX-License-Identifier: MIT
// Who made a recording or a built folder: Ed25519 of libsodium. Of a folder checksums.txt is signed, which has a line of every
// file, into signature.txt beside it; of a recording every byte, into `run.mcap.sig`, when it is closed: one that a crash cut
// off has none. A key is a file of one line, `rodeo-secret-key NAME HEX` or `rodeo-public-key NAME HEX`; a list of those that are trusted has a
// line of the second kind for each.
#pragma once
#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace rodeo::engine {

inline constexpr const char* kFolderSignature = "signature.txt";
inline constexpr const char* kFileSignature = ".sig";  // behind the name

/// One sentence.
class SignatureError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct SecretKey {
  std::string name;
  std::array<unsigned char, 64> bytes;
};
struct PublicKey {
  std::string name;
  std::array<unsigned char, 32> bytes;
};
struct Signature {
  PublicKey by;  // as it says itself
  std::array<unsigned char, 64> bytes;
};

/// NAME.key, which its owner alone may read, and NAME.pub. Both must be new. Throws SignatureError.
void write_key_pair(const std::string& name);
/// Throws SignatureError, also if others may read it.
[[nodiscard]] SecretKey build_secret_key(const std::string& path);
[[nodiscard]] std::vector<PublicKey> build_public_keys(const std::string& path);
/// 64 hexadecimal digits.
[[nodiscard]] std::string build_hex(const PublicKey& key);

/// A built folder, or a file. Throws SignatureError.
void sign(const std::string& path, const SecretKey& key);
/// The one that is there, true or not. Throws SignatureError if it is none.
[[nodiscard]] std::optional<Signature> find_signature(const std::string& path);
/// Is it of these very bytes? Of a folder, of its checksums.txt.
[[nodiscard]] bool is_true(const Signature& signature, const std::string& path);

/// Throws SignatureError unless `path` is signed by one of these keys and is what was signed, to the last bit.
void check_signature(const std::string& path, const std::string& public_keys);

}  // namespace rodeo::engine
