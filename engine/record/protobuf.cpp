// SPDX-License-Identifier: MIT
// Tags are number * 8 + wire type: 0 varint, 1 eight bytes, 2 length and bytes, 5 four bytes.
#include "engine/record/protobuf.h"

#include <bit>
#include <cstring>
#include <unordered_set>

#include "engine/record/bytes.h"

namespace rodeo::engine::protobuf {
namespace {

enum Wire : std::uint64_t { varint = 0, fixed64 = 1, delimited = 2, fixed32 = 5 };

constexpr std::uint32_t kReservedFirst = 19000;
constexpr std::uint32_t kReservedCount = 1000;
constexpr std::uint64_t kLabelOptional = 1;

void put_tag(std::string& out, std::uint32_t number, Wire wire) {
  put_varint(out, (std::uint64_t{number} << 3) | wire);
}

/// FieldDescriptorProto: name 1, number 3, label 4, type 5, type_name 6.
std::string build_field(std::string_view package, const Field& field) {
  std::string out;
  put_bytes_field(out, 1, field.name);
  put_varint_field(out, 3, field.number);
  put_varint_field(out, 4, kLabelOptional);
  put_varint_field(out, 5, static_cast<std::uint64_t>(field.type));
  if (field.type_name.empty()) return out;
  put_bytes_field(out, 6, "." + std::string(package) + "." + field.type_name);
  return out;
}

/// DescriptorProto: name 1, field 2.
std::string build_message(std::string_view package, const Message& message) {
  std::string out;
  put_bytes_field(out, 1, message.name);
  for (const Field& field : message.fields) put_bytes_field(out, 2, build_field(package, field));
  return out;
}

/// EnumDescriptorProto: name 1, value 2; EnumValueDescriptorProto: name 1, number 2.
std::string build_enumeration(const Enumeration& enumeration) {
  std::string out;
  put_bytes_field(out, 1, enumeration.name);
  for (const auto& [name, number] : enumeration.values) {
    std::string value;
    put_bytes_field(value, 1, name);
    put_varint_field(value, 2, number);
    put_bytes_field(out, 2, value);
  }
  return out;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string sanitise(const std::string& name) {
  std::string result;
  for (const char c : name) result += is_letter(c) || is_digit(c) ? c : '_';
  if (result.empty() || !is_letter(result.front())) result.insert(0, "x_");
  return result;
}

/// Two fields of one key would have one JSON name, which protobuf refuses.
std::string build_key(const std::string& name) {
  std::string key;
  for (const char c : name) {
    if (c != '_') key += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return key;
}

}  // namespace

void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>((value & 0x7F) | 0x80);
  out += static_cast<char>(value);
}

void put_varint_field(std::string& out, std::uint32_t number, std::uint64_t value) {
  put_tag(out, number, Wire::varint);
  put_varint(out, value);
}

void put_fixed64_field(std::string& out, std::uint32_t number, std::uint64_t value) {
  put_tag(out, number, Wire::fixed64);
  put_number(out, value);
}

void put_double_field(std::string& out, std::uint32_t number, double value) {
  put_fixed64_field(out, number, std::bit_cast<std::uint64_t>(value));
}

void put_bytes_field(std::string& out, std::uint32_t number, std::string_view bytes) {
  put_tag(out, number, Wire::delimited);
  put_varint(out, bytes.size());
  out.append(bytes);
}

bool FieldReader::take_varint(std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64 && !left_.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(left_.front());
    left_.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if ((byte & 0x80U) == 0) return true;
  }
  return false;
}

bool FieldReader::take_bytes(std::uint64_t size) {
  if (size > left_.size()) return false;
  bytes_ = left_.substr(0, size);
  left_.remove_prefix(size);
  return true;
}

bool FieldReader::take_fixed(std::size_t size) {
  if (!take_bytes(size)) return false;
  std::memcpy(&value_, bytes_.data(), size);
  bytes_ = {};
  return true;
}

bool FieldReader::take_value(std::uint64_t wire_type) {
  std::uint64_t size = 0;
  switch (wire_type) {
    case Wire::varint: return take_varint(value_);
    case Wire::fixed64: return take_fixed(8);
    case Wire::fixed32: return take_fixed(4);
    case Wire::delimited: return take_varint(size) && take_bytes(size);
    default: return false;
  }
}

bool FieldReader::next() {
  value_ = 0;
  bytes_ = {};
  if (left_.empty() || !is_good_) return false;
  std::uint64_t tag = 0;
  is_good_ = take_varint(tag) && take_value(tag & 7);
  number_ = static_cast<std::uint32_t>(tag >> 3);
  return is_good_;
}

double FieldReader::as_double() const noexcept { return std::bit_cast<double>(value_); }

std::uint32_t calc_field_number(std::size_t i) noexcept {
  const auto number = static_cast<std::uint32_t>(i) + 1;
  return number < kReservedFirst ? number : number + kReservedCount;
}

/// FileDescriptorSet: file 1; FileDescriptorProto: name 1, package 2, message_type 4, enum_type 5, syntax 12.
std::string build_descriptor_set(std::string_view package, const std::vector<Message>& messages,
                                 const std::vector<Enumeration>& enumerations) {
  std::string file;
  put_bytes_field(file, 1, std::string(package) + ".proto");
  put_bytes_field(file, 2, package);
  for (const Message& message : messages) put_bytes_field(file, 4, build_message(package, message));
  for (const Enumeration& each : enumerations) put_bytes_field(file, 5, build_enumeration(each));
  put_bytes_field(file, 12, "proto3");
  std::string set;
  put_bytes_field(set, 1, file);
  return set;
}

std::vector<std::string> build_field_names(const std::vector<std::string>& names) {
  std::vector<std::string> result;
  std::unordered_set<std::string> taken;
  for (const std::string& name : names) {
    const std::string plain = sanitise(name);
    std::string unique = plain;
    for (int i = 2; !taken.insert(build_key(unique)).second; ++i) unique = plain + "_v" + std::to_string(i);
    result.push_back(unique);
  }
  return result;
}

}  // namespace rodeo::engine::protobuf
