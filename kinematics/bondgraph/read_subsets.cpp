// SPDX-License-Identifier: MIT
// Subsets: finding and opening their files, refusing cycles, and what their parameters stand for.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "kinematics/bondgraph/reader.h"

namespace rodeo::bondgraph::reading {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// The first of the library folders in `start` or a folder above it that holds the file.
std::optional<fs::path> find_above(const fs::path& start, const fs::path& name) {
  for (fs::path folder = start; !folder.empty(); folder = folder.parent_path()) {
    for (const char* library : {"configs/library", "share/rodeo/configs/library"}) {
      if (is_file(folder / library / name)) return folder / library / name;
    }
    if (folder == folder.root_path()) break;
  }
  return std::nullopt;
}

/// Beside the file that names it, in `library/` there, then in the libraries above that file and above the program.
std::optional<fs::path> find_subset_file(const fs::path& includer, const fs::path& name) {
  const fs::path folder = includer.parent_path();
  for (const fs::path& path : {folder / name, folder / "library" / name}) {
    if (is_file(path)) return path;
  }
  std::error_code ignored;
  if (auto found = find_above(fs::absolute(folder, ignored).lexically_normal(), name)) return found;
  return find_above(fs::read_symlink("/proc/self/exe", ignored).parent_path(), name);
}

std::string canonical(const std::string& path) {
  std::error_code ignored;
  const fs::path result = fs::weakly_canonical(path, ignored);
  return result.empty() ? path : result.string();
}

const Node& load_file(Reader& reader, const std::string& path) {
  std::unique_ptr<Node>& cached = reader.files[canonical(path)];
  if (cached == nullptr) cached = std::make_unique<Node>(text::build_yaml_from_file(path));
  return *cached;
}

/// `a.yaml:5 -> b.yaml:3 -> a.yaml` when `path` is open in an outer instance, else empty.
std::string find_cycle(const Instance& parent, const std::string& path, const Where& use) {
  const std::string wanted = canonical(path);
  std::string chain = text::to_string(use) + " -> " + path;
  for (const Instance* outer = &parent; outer != nullptr; outer = outer->parent) {
    if (canonical(outer->file) == wanted) return chain;
    if (outer->use != nullptr) chain = text::to_string(outer->use->where) + " -> " + chain;
  }
  return {};
}

/// The path of a subset's file; a sentence is thrown when there is none or it is open already.
std::string find_path(const Instance& parent, const Node& name, const Where& use) {
  if (!name.is_scalar() || name.scalar.empty()) throw std::invalid_argument("'subset' is the name of a file");
  const auto path = find_subset_file(parent.file, name.scalar);
  if (!path) {
    throw std::invalid_argument(
        fmt::format("there is no file '{}' beside '{}' or in configs/library", name.scalar, parent.file));
  }
  const std::string text = path->lexically_normal().string();
  const std::string cycle = find_cycle(parent, text, use);
  if (!cycle.empty())
    throw std::invalid_argument("a cycle of subsets: " + cycle + ": a subset cannot contain itself");
  return text;
}

const text::Entry* find_entry(const Node* map, const std::string& key) {
  if (map == nullptr) return nullptr;
  for (const text::Entry& entry : map->entries) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

std::vector<std::string> keys_of(const Node* map) {
  std::vector<std::string> keys;
  if (map != nullptr) {
    for (const text::Entry& entry : map->entries) keys.push_back(entry.key);
  }
  return keys;
}

/// Binds the parameters of one subset: `with:` in the parent's scope, else the default in the subset's parameters.
class Binder {
 public:
  Binder(Reader& reader, Instance& instance)
      : reader_(reader),
        instance_(instance),
        defaults_(instance.root->find("parameters")),
        with_(instance.use->find("with")) {}

  void bind_all() {
    if (with_ != nullptr && !with_->is_map()) {
      reader_.faults.add(with_->where, fmt::format("with: a map NAME: VALUE is needed here, not {}",
                                                   text::kind_name(*with_)));
      return;
    }
    check_names();
    for (const std::string& name : keys_of(defaults_)) bind(name);
  }

 private:
  void check_names() {
    for (const std::string& name : keys_of(with_)) {
      if (find_entry(defaults_, name) != nullptr) continue;
      const std::vector<std::string> known = keys_of(defaults_);
      reader_.faults.add(find_entry(with_, name)->where,
                         fmt::format("subset '{}': '{}' has no parameter '{}'{}; it has {}", local_name(),
                                     instance_.file, name, text::did_you_mean(name, known),
                                     known.empty() ? "none" : text::join_names(known)));
    }
    if (const text::Entry* time = find_entry(defaults_, "t"))
      reader_.faults.add(time->where, "parameter 't': t is the time: choose another name");
  }

  std::string local_name() const {
    const std::string path = instance_.prefix.substr(0, instance_.prefix.size() - 1);
    return path.substr(path.rfind('.') + 1);
  }

  void bind(const std::string& name) {
    if (instance_.parameters.contains(name)) return;
    const text::Entry& own = *find_entry(defaults_, name);
    const text::Entry* given = find_entry(with_, name);
    if (given == nullptr && own.value.is_null()) {
      reader_.faults.add(instance_.use->where,
                         fmt::format("subset '{}': give its parameter '{}', as in with: {{{}: 1}}",
                                     local_name(), name, name));
    }
    open_.push_back(name);
    Expr value = 0.0;
    if (given != nullptr) {
      value = read_value(reader_, *instance_.parent, given->value,
                         fmt::format("parameter '{}' of subset '{}'", name, local_name()));
    } else if (!own.value.is_null()) {
      value = expr::read_expression(own.value, fmt::format("parameter '{}'", name), default_scope(),
                                    reader_.faults);
    }
    open_.pop_back();
    check_finite(reader_, value, given != nullptr ? given->where : own.where,
                 fmt::format("parameter '{}'", name));
    instance_.parameters.emplace(name, value);
  }

  /// A default may use the subset's other parameters, which are bound on the way.
  expr::Scope default_scope() {
    expr::Scope scope;
    scope.known = keys_of(defaults_);
    scope.find = [this](const std::string& name) -> std::optional<Expr> {
      if (find_entry(defaults_, name) == nullptr) return std::nullopt;
      if (std::find(open_.begin(), open_.end(), name) != open_.end()) {
        throw std::invalid_argument(fmt::format("parameter '{}' depends on itself", name));
      }
      bind(name);
      return instance_.parameters.at(name);
    };
    return scope;
  }

  Reader& reader_;
  Instance& instance_;
  const Node* defaults_;
  const Node* with_;
  std::vector<std::string> open_;
};

}  // namespace

std::unique_ptr<Instance> build_subset(Reader& reader, Instance& parent, const std::string& name,
                                       const Node& use) {
  text::MapReader map(use, fmt::format("subset '{}'", name), reader.faults);
  const Node* file = map.find("subset");
  static_cast<void>(map.find("with"));
  map.finish();
  try {
    auto instance = std::make_unique<Instance>();
    instance->file = find_path(parent, *file, use.where);
    instance->root = &load_file(reader, instance->file);
    instance->prefix = parent.prefix + name + ".";
    instance->parent = &parent;
    instance->use = &use;
    instance->domain = parent.domain;
    declare(reader, *instance);
    return instance;
  } catch (const std::invalid_argument& error) {
    reader.faults.add(use.where, fmt::format("subset '{}': {}", name, error.what()));
  } catch (const text::ModelError& error) {
    reader.faults.add(error);
  }
  return nullptr;
}

void bind_parameters(Reader& reader, Instance& instance) { Binder(reader, instance).bind_all(); }

}  // namespace rodeo::bondgraph::reading
