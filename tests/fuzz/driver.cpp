// SPDX-License-Identifier: MIT
// Where there is no libFuzzer: feeds a fuzz target the files of its folders, then mutations of them, without the help of coverage.
//
//     fuzz_NAME [-seconds=N] [-seed=N] FOLDER... | FILE
//
// What breaks it is written to fuzz_NAME.crash in the working folder; `fuzz_NAME fuzz_NAME.crash` does it again.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" [[gnu::weak]] int LLVMFuzzerInitialize(int* argc, char*** argv);

namespace {

namespace fs = std::filesystem;
using Input = std::string;

constexpr unsigned kMostSecondsOfOne = 10;

Input current;           // what is being fed
std::string crash_path;  // where it goes if that breaks

/// Only what a handler may call.
void keep_crash(int signal) {
  const int file = ::open(crash_path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
  if (file >= 0 && ::write(file, current.data(), current.size()) >= 0) ::close(file);
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void feed(const Input& input) {
  current = input;
  ::alarm(kMostSecondsOfOne);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(current.data()), current.size());
  ::alarm(0);
}

class Mutator {
 public:
  Mutator(const std::vector<Input>& corpus, std::uint64_t seed) : corpus_(corpus), random_(seed) {}

  Input next() {
    Input input = corpus_[pick(corpus_.size())];
    for (std::size_t left = 1 + pick(4); left > 0; --left) change(input);
    return input;
  }

 private:
  std::size_t pick(std::size_t count) { return random_() % count; }

  void change(Input& input) {
    if (input.empty()) input.push_back('\0');
    const std::size_t at = pick(input.size());
    const std::size_t length = 1 + pick(std::min<std::size_t>(input.size() - at, 64));
    switch (pick(8)) {
      case 0: input[at] = static_cast<char>(input[at] ^ (1 << pick(8))); return;
      case 1: input[at] = static_cast<char>(pick(256)); return;
      case 2: input.erase(at, length); return;
      case 3: input.insert(at, input.substr(pick(input.size()), length)); return;
      case 4: input.insert(at, 1 + pick(40), input[at]); return;
      case 5: input.resize(at); return;
      case 6: {
        const Input& other = corpus_[pick(corpus_.size())];
        if (!other.empty()) input.replace(at, length, other.substr(pick(other.size()), length));
        return;
      }
      default: input.replace(at, length, words()[pick(words().size())]);
    }
  }

  static const std::vector<std::string>& words() {
    using namespace std::string_literals;
    static const std::vector list{"0"s,
                                  "-1"s,
                                  "1e308"s,
                                  "nan"s,
                                  "4294967296"s,
                                  "\xff\xff\xff\xff"s,
                                  "\0\0\0\0\0\0\0\x80"s,
                                  "\n"s,
                                  "{"s,
                                  "["s,
                                  ": "s,
                                  "&a "s,
                                  "*a"s,
                                  "\""s,
                                  "("s,
                                  "^"s,
                                  ","s,
                                  "\r\n"s,
                                  "\t"s,
                                  "if("s,
                                  "\0\0\0\0\0\0\xf8\x7f"s,
                                  "true"s,
                                  "null"s,
                                  "-"s,
                                  "1/0"s,
                                  "\xef\xbb\xbf"s};
    return list;
  }

  const std::vector<Input>& corpus_;
  std::mt19937_64 random_;
};

Input read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Options {
  double seconds = 60;
  std::uint64_t seed = 1;
  std::vector<fs::path> files;
};

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word.starts_with("-seconds=")) {
      options.seconds = std::stod(std::string(word.substr(9)));
    } else if (word.starts_with("-seed=")) {
      options.seed = std::stoull(std::string(word.substr(6)));
    } else if (fs::is_directory(word)) {
      for (const auto& entry : fs::directory_iterator(word)) options.files.push_back(entry.path());
    } else {
      options.files.emplace_back(word);
      options.seconds = 0;
    }
  }
  std::sort(options.files.begin(), options.files.end());
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&argc, &argv);
  const Options options = read_options(argc, argv);
  const std::string name = fs::path(argv[0]).filename().string();
  if (options.files.empty()) {
    fmt::print(stderr, "{}: nothing to begin with: name a folder of files\n", name);
    return 2;
  }
  crash_path = name + ".crash";
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGALRM}) ::signal(signal, keep_crash);

  std::vector<Input> corpus;
  for (const fs::path& path : options.files) corpus.push_back(read(path));
  for (const Input& input : corpus) feed(input);
  std::uint64_t runs = corpus.size();
  Mutator mutator(corpus, options.seed);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(options.seconds);
  for (; std::chrono::steady_clock::now() < end; ++runs) feed(mutator.next());
  fmt::print("{}: {} runs from {} files, nothing broke\n", name, runs, corpus.size());
  return 0;
}
