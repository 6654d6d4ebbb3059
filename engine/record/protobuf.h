// SPDX-License-Identifier: MIT
// As much of the protobuf wire format as a recording needs: fields to bytes and back, and the FileDescriptorSet that tells
// other programs what the bytes mean. A double is its eight bytes: bit for bit.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rodeo::engine::protobuf {

void put_varint(std::string& out, std::uint64_t value);
/// Fields of the types uint32, uint64, int64, enum.
void put_varint_field(std::string& out, std::uint32_t number, std::uint64_t value);
void put_fixed64_field(std::string& out, std::uint32_t number, std::uint64_t value);
void put_double_field(std::string& out, std::uint32_t number, double value);
/// Texts, bytes and messages.
void put_bytes_field(std::string& out, std::uint32_t number, std::string_view bytes);

/// Walks the fields of a message. Stops at what is not whole: then is_good() is false.
class FieldReader {
 public:
  explicit FieldReader(std::string_view message) : left_(message) {}

  [[nodiscard]] bool next();
  [[nodiscard]] bool is_good() const noexcept { return is_good_; }

  [[nodiscard]] std::uint32_t number() const noexcept { return number_; }
  /// Of a varint or fixed field: its bits; else 0.
  [[nodiscard]] std::uint64_t value() const noexcept { return value_; }
  [[nodiscard]] double as_double() const noexcept;
  /// Of texts, bytes and messages; else empty.
  [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }

 private:
  [[nodiscard]] bool take_varint(std::uint64_t& value);
  [[nodiscard]] bool take_bytes(std::uint64_t size);
  [[nodiscard]] bool take_fixed(std::size_t size);
  [[nodiscard]] bool take_value(std::uint64_t wire_type);

  std::string_view left_;
  bool is_good_ = true;
  std::uint32_t number_ = 0;
  std::uint64_t value_ = 0;
  std::string_view bytes_;
};

/// Numbers are those of FieldDescriptorProto.Type.
enum class Type : std::uint8_t {
  f64 = 1,
  i64 = 3,
  u64 = 4,
  fixed64 = 6,
  string = 9,
  message = 11,
  bytes = 12,
  u32 = 13,
  enumeration = 14
};

struct Field {
  std::string name;
  Type type = Type::f64;
  std::string type_name{};  // of a message or enumeration of the same package
  std::uint32_t number = 0;
};

struct Message {
  std::string name;
  std::vector<Field> fields;
};

struct Enumeration {
  std::string name;
  std::vector<std::pair<std::string, std::uint32_t>> values;  // the first is 0
};

/// The number of a message's i-th field, counted from 0: protobuf keeps 19000 to 19999 for itself.
[[nodiscard]] std::uint32_t calc_field_number(std::size_t i) noexcept;

/// A FileDescriptorSet of one file, proto3.
[[nodiscard]] std::string build_descriptor_set(std::string_view package, const std::vector<Message>& messages,
                                               const std::vector<Enumeration>& enumerations);

/// Names as fields of one message: letters, digits and underscores, unique also without case and underscores, as protobuf's
/// JSON names must be. `tip.x` becomes `tip_x`.
[[nodiscard]] std::vector<std::string> build_field_names(const std::vector<std::string>& names);

}  // namespace rodeo::engine::protobuf
