// SPDX-License-Identifier: MIT
// tools/sbom: what CycloneDX 1.5 requires, and versions as dpkg has them, asked here without the tool.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace rodeo::structure {
namespace {

using nlohmann::json;

std::string run(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
  std::string text;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0;)
    text.append(buffer.data(), n);
  return text;
}

std::string run_tool() { return run("'" RODEO_SOURCE_DIR "/tools/sbom' 2>/dev/null"); }

/// Names of packages.txt, read with sed instead of the tool's Python.
std::set<std::string> list_packages() {
  std::istringstream names(
      run("sed -e 's/#.*//' -e '/^\\[/d' '" RODEO_SOURCE_DIR "/tools/packages.txt' | awk 'NF {print $1}'"));
  std::set<std::string> result;
  for (std::string name; names >> name;) result.insert(name);
  return result;
}

std::string text_of(const json& object, const char* key) {
  return object.contains(key) && object.at(key).is_string() ? object.at(key).get<std::string>() : "";
}

/// What a reader of CycloneDX 1.5 would refuse; nothing if all is well.
std::vector<std::string> find_faults(const json& bom) {
  std::vector<std::string> faults;
  const auto check = [&](bool is_well, const std::string& what) {
    if (!is_well) faults.push_back(what);
  };
  const std::regex serial("urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  check(text_of(bom, "bomFormat") == "CycloneDX", "bomFormat");
  check(text_of(bom, "specVersion") == "1.5", "specVersion");
  check(bom.contains("version") && bom["version"].is_number_integer(), "version");
  check(std::regex_match(text_of(bom, "serialNumber"), serial), "serialNumber");
  const json metadata = bom.value("metadata", json::object());
  check(std::regex_match(text_of(metadata, "timestamp"),
                         std::regex("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ")),
        "timestamp");
  check(text_of(metadata.value("component", json::object()), "name") == "rodeo", "metadata.component");
  std::set<std::string> refs{text_of(metadata.value("component", json::object()), "bom-ref")};
  for (const json& component : bom.value("components", json::array())) {
    const std::string name = text_of(component, "name");
    check(!name.empty(), "a component without a name");
    const std::string type = text_of(component, "type");
    check(type == "library" || type == "application", name + ": type");
    const std::string scope = text_of(component, "scope");
    check(scope == "required" || scope == "optional" || scope == "excluded", name + ": scope");
    check(refs.insert(text_of(component, "bom-ref")).second, name + ": bom-ref is there twice");
    if (!component.contains("version")) continue;
    check(std::regex_match(text_of(component, "purl"), std::regex("pkg:(deb/debian|npm)/[^@ ]+@[^@ ]+")),
          name + ": purl");
    check(!component.value("licenses", json::array()).empty(), name + ": licenses");
    for (const json& licence : component.value("licenses", json::array())) {
      const json named = licence.value("license", json::object());
      check(named.contains("id") != named.contains("name") || licence.contains("expression"),
            name + ": license");
    }
  }
  for (const json& dependency : bom.value("dependencies", json::array())) {
    check(refs.contains(text_of(dependency, "ref")), "dependencies: ref");
    for (const json& other : dependency.value("dependsOn", json::array()))
      check(refs.contains(other.get<std::string>()), "dependsOn: " + other.dump());
  }
  return faults;
}

class Sbom : public testing::Test {
 protected:
  void SetUp() override {
    if (run("command -v dpkg-query").empty() || run("command -v python3").empty())
      GTEST_SKIP() << "no Debian here";
    text_ = run_tool();
    bom_ = json::parse(text_, nullptr, false);
    ASSERT_FALSE(bom_.is_discarded()) << text_;
  }
  std::string text_;
  json bom_;
};

TEST_F(Sbom, HasWhatCycloneDxRequires) { EXPECT_THAT(find_faults(bom_), testing::IsEmpty()); }

TEST_F(Sbom, ListsEveryPackageWithTheVersionOfDpkg) {
  std::set<std::string> missing = list_packages();
  ASSERT_GT(missing.size(), 30U);
  for (const json& component : bom_["components"]) {
    const std::string name = text_of(component, "name");
    missing.erase(name);
    const std::string known =
        run("dpkg-query -W -f '${db:Status-Status} ${Version}' " + name + " 2>/dev/null");
    if (known.starts_with("installed ")) {
      EXPECT_EQ(text_of(component, "version"), known.substr(10)) << name;
    } else {
      EXPECT_FALSE(component.contains("version")) << name;
    }
  }
  EXPECT_THAT(missing, testing::IsEmpty());
}

TEST_F(Sbom, NamesTheLibraryBehindAHeaderAndItsLicence) {
  const auto find = [&](const std::string& prefix) {
    for (const json& component : bom_["components"]) {
      if (text_of(component, "name").starts_with(prefix)) return component;
    }
    return json::object();
  };
  EXPECT_EQ(text_of(find("libsodium2"), "scope"), "required");
  EXPECT_EQ(find("libginac-dev")["licenses"].dump(), R"([{"license":{"id":"GPL-2.0-or-later"}}])");
  EXPECT_EQ(text_of(find("clang-tidy"), "scope"), "excluded");
}

TEST_F(Sbom, IsTheSameBytesEachTime) { EXPECT_EQ(run_tool(), text_); }

TEST_F(Sbom, IsFoundWantingWhenDamaged) {  // the check itself
  json bom = bom_;
  bom.erase("serialNumber");
  bom["components"][0].erase("name");
  bom["components"][1]["bom-ref"] = bom["components"][2]["bom-ref"];
  EXPECT_GE(find_faults(bom).size(), 3U);
}

}  // namespace
}  // namespace rodeo::structure
