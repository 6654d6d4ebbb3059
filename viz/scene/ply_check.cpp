// SPDX-License-Identifier: MIT
#include "viz/scene/ply_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "viz/scene/words.h"

namespace rodeo::viz {
namespace {

struct Type {
  const char* name;
  const char* other_name;
  std::size_t bytes;
  enum { whole, positive, real } kind;
};

constexpr std::array kTypes{
    Type{"char", "int8", 1, Type::whole},    Type{"uchar", "uint8", 1, Type::positive},
    Type{"short", "int16", 2, Type::whole},  Type{"ushort", "uint16", 2, Type::positive},
    Type{"int", "int32", 4, Type::whole},    Type{"uint", "uint32", 4, Type::positive},
    Type{"float", "float32", 4, Type::real}, Type{"double", "float64", 8, Type::real}};

const Type* find_type(std::string_view name) {
  const auto it = std::find_if(kTypes.begin(), kTypes.end(), [&](const Type& type) {
    return name == type.name || name == type.other_name;
  });
  return it == kTypes.end() ? nullptr : &*it;
}

struct Property {
  std::string name;
  const Type* type = nullptr;
  const Type* count = nullptr;  // of a list
};

struct Element {
  std::string name;
  std::uint64_t count = 0;
  std::vector<Property> properties;
};

enum class Format { text, little_endian, big_endian };

/// The values of the body one after the other, whatever the format; as text an element is a line.
class Body {
 public:
  Body(std::string_view rest, Format format) : rest_(rest), format_(format) {}

  [[nodiscard]] std::size_t size() const noexcept { return rest_.size(); }
  void begin_element() {
    if (format_ != Format::text) return;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    words_ = split_words(rest_.substr(0, end));
    word_ = 0;
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
  }
  /// Was all of the element's line asked for?
  [[nodiscard]] bool is_element_done() const noexcept {
    return format_ != Format::text || word_ == words_.size();
  }
  /// nullopt at the end of the element or file, and where no number of this type stands.
  std::optional<double> next(const Type& type) {
    return format_ == Format::text ? next_word(type) : next_bytes(type);
  }

 private:
  std::optional<double> next_word(const Type& type) {
    double value = 0;
    if (word_ == words_.size() || !read_whole(words_[word_++], value) || !std::isfinite(value))
      return std::nullopt;
    if (type.kind != Type::real && value != std::trunc(value)) return std::nullopt;
    return value;
  }

  std::optional<double> next_bytes(const Type& type) {
    if (rest_.size() < type.bytes) return std::nullopt;
    std::array<char, 8> bytes{};
    std::copy_n(rest_.begin(), type.bytes, bytes.begin());
    if (format_ == Format::big_endian)
      std::reverse(bytes.begin(), bytes.begin() + static_cast<long>(type.bytes));
    rest_.remove_prefix(type.bytes);
    const double value = decode(type, bytes);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  }

  static double decode(const Type& type, const std::array<char, 8>& bytes) {
    static_assert(std::endian::native == std::endian::little);
    if (type.kind == Type::real) return type.bytes == 4 ? take<float>(bytes) : take<double>(bytes);
    if (type.kind == Type::positive) return static_cast<double>(take<std::uint64_t>(bytes));
    if (type.bytes == 1) return take<std::int8_t>(bytes);
    return type.bytes == 2 ? take<std::int16_t>(bytes) : take<std::int32_t>(bytes);
  }

  template <typename T>
  static T take(const std::array<char, 8>& bytes) {
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }

  std::string_view rest_;
  Format format_;
  std::vector<std::string_view> words_;
  std::size_t word_ = 0;
};

class PlyCheck {
 public:
  explicit PlyCheck(std::string_view text) : rest_(text) {}

  std::string find_fault() {
    read_head();
    if (fault_.empty()) look_at_elements();
    if (fault_.empty()) look_at_body();
    return fault_;
  }

 private:
  static constexpr std::size_t kLongestLine = 200;  // the reader's own arrays
  static constexpr double kMostCorners = 255;

  void say(const std::string& what) { fault_ = fmt::format(":{}: {}", line_, what); }

  std::string_view next_line() {
    ++line_;
    const std::size_t end = rest_.find('\n');
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return line;
  }

  void read_head() {
    if (next_line() != "ply" && fault_.empty()) return say("does not begin with 'ply'");
    for (bool goes_on = true; goes_on && fault_.empty();) {
      if (rest_.empty()) return say("ends within its head, the file is cut off");
      const std::string_view line = next_line();
      if (line.size() > kLongestLine)
        return say(fmt::format("a line of the head has {} letters", line.size()));
      goes_on = read_line(split_words(line));
    }
  }

  /// False behind the last line of the head.
  bool read_line(const std::vector<std::string_view>& words) {
    if (words.empty()) {
      say("the head has an empty line");
    } else if (words[0] == "format") {
      read_format(words);
    } else if (words[0] == "element") {
      read_element(words);
    } else if (words[0] == "property") {
      read_property(words);
    } else if (words[0] != "comment" && words[0] != "obj_info" && words[0] != "end_header") {
      say(fmt::format("'{}' is no line of a head", words[0]));
    }
    return words.empty() || words[0] != "end_header";
  }

  void read_format(const std::vector<std::string_view>& words) {
    static constexpr std::array names{"ascii", "binary_little_endian", "binary_big_endian"};
    const auto it = words.size() == 3 ? std::find(names.begin(), names.end(), words[1]) : names.end();
    if (it == names.end() || words[2] != "1.0")
      return say("the format is none of ascii, binary_little_endian, binary_big_endian 1.0");
    format_ = static_cast<Format>(it - names.begin());
  }

  void read_element(const std::vector<std::string_view>& words) {
    Element element;
    if (words.size() != 3 || !read_whole(words[2], element.count))
      return say("an element has a name and a number");
    element.name = words[1];
    elements_.push_back(element);
  }

  void read_property(const std::vector<std::string_view>& words) {
    const bool is_list = words.size() == 5 && words[1] == "list";
    if (elements_.empty() || (!is_list && words.size() != 3))
      return say("a property has a type and a name and stands below its element");
    Property property{std::string(words.back()), find_type(words[words.size() - 2]), nullptr};
    if (is_list) property.count = find_type(words[2]);
    if (property.type == nullptr ||
        (is_list && (property.count == nullptr || property.count->kind == Type::real)))
      return say(fmt::format("property '{}' has an unknown type", property.name));
    elements_.back().properties.push_back(property);
  }

  void look_at_elements() {
    if (!format_) return say("the head has no format");
    if (elements_.size() != 2 || elements_[0].name != "vertex" || elements_[1].name != "face")
      return say("has other elements than vertex and face, in this order");
    look_at_vertices(elements_[0].properties);
    look_at_faces(elements_[1].properties);
  }

  void look_at_vertices(const std::vector<Property>& properties) {
    for (const char* name : {"x", "y", "z"}) {
      const auto has = [&](const Property& each) {
        return each.name == name && each.type->kind == Type::real;
      };
      if (std::count_if(properties.begin(), properties.end(), has) != 1)
        return say(fmt::format("a vertex has no float '{}'", name));
    }
    for (const Property& each : properties) {
      if (each.count != nullptr) return say(fmt::format("property '{}' of a vertex is a list", each.name));
    }
  }

  void look_at_faces(const std::vector<Property>& properties) {
    const bool is_known = properties.size() == 1 && properties[0].count != nullptr &&
                          properties[0].type->kind != Type::real &&
                          (properties[0].name == "vertex_indices" || properties[0].name == "vertex_index");
    if (!is_known) say("a face has other properties than the list 'vertex_indices'");
  }

  void look_at_body() {
    const Element &vertices = elements_[0], &faces = elements_[1];
    if (vertices.count == 0 || faces.count == 0) return say("has no faces");
    Body body(rest_, *format_);
    if (vertices.count > body.size() || faces.count > body.size())
      return say("the file is cut off within its numbers");
    for (std::uint64_t i = 0; i < vertices.count && fault_.empty(); ++i) {
      body.begin_element();
      for (const Property& each : vertices.properties) {
        if (!body.next(*each.type)) return say_not_whole("vertex", i, vertices);
      }
      if (!body.is_element_done()) say_not_whole("vertex", i, vertices);
    }
    for (std::uint64_t i = 0; i < faces.count && fault_.empty(); ++i) look_at_face(body, i);
  }

  void say_not_whole(const char* what, std::uint64_t index, const Element& element) {
    fault_ = fmt::format(": {} {} of {} is not whole", what, index, element.count);
  }

  void look_at_face(Body& body, std::uint64_t face) {
    const Property& list = elements_[1].properties[0];
    body.begin_element();
    const std::optional<double> corners = body.next(*list.count);
    if (!corners) return say_not_whole("face", face, elements_[1]);
    if (*corners < 3 || *corners > kMostCorners) {
      fault_ = fmt::format(": face {} has {} corners", face, *corners);
      return;
    }
    for (double i = 0; i < *corners; ++i) {
      const std::optional<double> index = body.next(*list.type);
      if (!index) return say_not_whole("face", face, elements_[1]);
      if (*index < 0 || *index >= static_cast<double>(elements_[0].count)) {
        fault_ = fmt::format(": face {} names vertex {}, there are {}", face, *index, elements_[0].count);
        return;
      }
    }
    if (!body.is_element_done()) say_not_whole("face", face, elements_[1]);
  }

  std::string_view rest_;
  std::string fault_;
  int line_ = 0;
  std::optional<Format> format_;
  std::vector<Element> elements_;
};

}  // namespace

std::string find_ply_fault(std::string_view text) { return PlyCheck(text).find_fault(); }

}  // namespace rodeo::viz
