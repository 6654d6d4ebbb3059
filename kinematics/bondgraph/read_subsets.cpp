// SPDX-License-Identifier: MIT
// Subsets: finding and opening their files, refusing cycles, and what their parameters stand for.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "kinematics/bondgraph/reader.h"
#include "kinematics/text/named_file.h"

namespace rodeo::bondgraph::reading {
namespace {

namespace fs = std::filesystem;

std::string canonical(const std::string& path) {
  std::error_code ignored;
  const fs::path result = fs::weakly_canonical(path, ignored);
  return result.empty() ? path : result.string();
}

/// A file's path and text, looked for once though it is used many times.
const SubsetFile& find_file(Reader& reader, const Instance& parent, const Node& name) {
  if (!name.is_scalar() || name.scalar.empty()) throw std::invalid_argument("'subset' is the name of a file");
  SubsetFile& file = reader.files[parent.file + '\n' + name.scalar];
  if (file.root != nullptr) return file;
  if (const std::string fault = text::find_name_fault(name.scalar); !fault.empty())
    throw std::invalid_argument(fault);
  const auto path = text::find_named_file(parent.file, name.scalar, text::Library::subsets);
  if (!path) {
    throw std::invalid_argument(
        fmt::format("there is no file '{}' beside '{}' or in configs/library", name.scalar, parent.file));
  }
  file.path = path->lexically_normal().string();
  file.canonical = canonical(file.path);
  std::shared_ptr<const Node>& text = reader.texts[file.canonical];
  if (text == nullptr) text = std::make_shared<Node>(text::build_yaml_from_file(file.path));
  file.root = text;
  return file;
}

/// Throws `a.yaml:5 -> b.yaml:3 -> a.yaml` when the file is open in an outer instance.
void check_cycle(const Instance& parent, const SubsetFile& file, const Where& use) {
  const Instance* open = &parent;
  while (open != nullptr && open->canonical != file.canonical) open = open->parent;
  if (open == nullptr) return;
  std::string chain = text::to_string(use) + " -> " + file.path;
  for (const Instance* at = &parent; at != open; at = at->parent)
    chain = text::to_string(at->use->where) + " -> " + chain;
  throw std::invalid_argument("a cycle of subsets: " + chain + ": a subset cannot contain itself");
}

/// The instance before its names are declared; nullptr and a fault when its file cannot be used.
std::unique_ptr<Instance> open_subset(Reader& reader, Instance& parent, const std::string& name,
                                      const Node& use) {
  try {
    const SubsetFile& file = find_file(reader, parent, *use.find("subset"));
    check_cycle(parent, file, use.where);
    auto instance = std::make_unique<Instance>();
    instance->file = file.path;
    instance->canonical = file.canonical;
    instance->root = file.root.get();
    return instance;
  } catch (const std::invalid_argument& error) {
    reader.faults.add(use.where, fmt::format("subset '{}': {}", name, error.what()));
  } catch (const text::ModelError& error) {
    reader.faults.add(error);
  }
  return nullptr;
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

/// Names of the subsets that `with:` of `taker` can hand on: those of its parent, and those that the parent was given.
std::string list_subsets(const Instance& taker) {
  std::vector<std::string> names;
  for (const auto& [name, subset] : taker.parent->subsets) {
    if (subset != &taker) names.push_back(name);
  }
  for (const auto& [name, other] : taker.parent->others) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names.empty() ? "there is none" : "there are " + text::join_names(names);
}

/// nullopt where there is none of that name.
std::optional<const Instance*> find_subset(const Instance& instance, const Node& name) {
  if (!name.is_scalar()) return std::nullopt;
  const auto own = instance.subsets.find(name.scalar);
  if (own != instance.subsets.end()) return own->second;
  const auto other = instance.others.find(name.scalar);
  if (other != instance.others.end()) return other->second;
  return std::nullopt;
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
    if (stands_for_subset(*defaults_, own)) return bind_subset(name);
    const text::Entry* given = find_entry(with_, name);
    if (given == nullptr && own.value.is_null()) {
      reader_.faults.add(instance_.use->where,
                         fmt::format("subset '{}': give its parameter '{}', as in with: {{{}: 1}}",
                                     local_name(), name, name));
    }
    open_.push_back(name);
    const std::size_t faults_before = reader_.faults.size();
    Expr value = 0.0;
    if (given != nullptr) {
      value = read_value(reader_, *instance_.parent, given->value,
                         fmt::format("parameter '{}' of subset '{}'", name, local_name()));
    } else if (!own.value.is_null()) {
      value = expr::read_expression(own.value, fmt::format("parameter '{}'", name), default_scope(),
                                    reader_.faults);
    }
    open_.pop_back();
    if (reader_.faults.size() > faults_before) value = build_faulty(name);
    check_finite(reader_, value, given != nullptr ? given->where : own.where,
                 fmt::format("parameter '{}'", name));
    instance_.parameters.emplace(name, value);
  }

  /// What could not be read is no number: nothing that follows from it is reported.
  Expr build_faulty(const std::string& name) {
    const Expr value = expr::symbol(instance_.prefix + name);
    reader_.constants[value.id()] = std::numeric_limits<double>::quiet_NaN();
    return value;
  }

  void bind_subset(const std::string& name) {
    const text::Entry* given = find_entry(with_, name);
    const auto found = given != nullptr ? find_subset(*instance_.parent, given->value) : std::nullopt;
    const bool is_another = found && *found != &instance_;
    instance_.others[name] = is_another ? *found : nullptr;
    if (is_another) return;
    const std::string what =
        given == nullptr ? fmt::format("give its parameter '{}', the name of another subset", name)
                         : fmt::format("its parameter '{}' is the name of another subset, not {}", name,
                                       given->value.is_scalar() ? "'" + given->value.scalar + "'"
                                                                : text::kind_name(given->value));
    reader_.faults.add(given == nullptr ? instance_.use->where : given->where,
                       fmt::format("subset '{}': {}; {}", local_name(), what, list_subsets(instance_)));
  }

  /// A default may use the subset's other parameters, which are bound on the way.
  expr::Scope default_scope() {
    expr::Scope scope;
    scope.known = keys_of(defaults_);
    scope.find = [this](const std::string& name) -> std::optional<Expr> {
      const text::Entry* entry = find_entry(defaults_, name);
      if (entry == nullptr || stands_for_subset(*defaults_, *entry)) return std::nullopt;
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
  static_cast<void>(map.find("subset"));
  static_cast<void>(map.find("with"));
  map.finish();
  std::unique_ptr<Instance> instance = open_subset(reader, parent, name, use);
  if (instance == nullptr) return nullptr;
  instance->prefix = parent.prefix + name + ".";
  instance->parent = &parent;
  instance->use = &use;
  instance->domain = parent.domain;
  declare(reader, *instance);
  return instance;
}

bool stands_for_subset(const Node& parameters, const text::Entry& entry) {
  return entry.value.is_scalar() && entry.value.scalar == "subset" && parameters.find("subset") == nullptr;
}

void bind_parameters(Reader& reader, Instance& instance) { Binder(reader, instance).bind_all(); }

}  // namespace rodeo::bondgraph::reading
