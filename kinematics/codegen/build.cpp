// SPDX-License-Identifier: MIT
// Writing and compiling kernels.
#include "kinematics/codegen/build.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "kinematics/codegen/charts.h"
#include "kinematics/codegen/lagrange.h"

namespace rodeo::codegen {
namespace {

/// Runs a program without a shell, its messages to a file.
int run(const std::vector<std::string>& command, const std::string& messages) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot start the C compiler");
  if (child == 0) {
    if (std::freopen(messages.c_str(), "w", stderr) == nullptr) _exit(126);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

std::string read_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

const char* compiler_flags() {
  return "-std=c99 -O2 -ffp-contract=off -fno-math-errno -fPIC -shared -Wall -Wextra";
}

void compile_kernel(const std::string& place, Compilation how) {
  const std::string folder = std::filesystem::absolute(place).string();  // '-x/kernel.c' would be an option
  std::vector<std::string> command{"cc"};
  std::istringstream flags(compiler_flags());
  for (std::string flag; flags >> flag;) command.push_back(flag);
  if (how == Compilation::quick) command.emplace_back("-O0");  // the last one counts
  for (const std::string& word :
       {folder + "/kernel.c", std::string("-o"), folder + "/kernel.so", std::string("-lm")})
    command.push_back(word);
  const std::string messages = folder + "/compiler.log";
  const int status = run(command, messages);
  if (status == 127)
    throw NoCompiler("there is no C compiler 'cc': install gcc, or build on a machine that has one");
  if (status != 0)
    throw std::runtime_error(fmt::format("the C compiler refused the kernel: {}", read_text(messages)));
  unlink(messages.c_str());
}

Kernel build_kernel(const machine::Machine& machine, const machine::Assembly& start,
                    const machine::Mobility& mobility, Folding folding, KernelMethod method) {
  Kernel kernel;
  kernel.model = method == KernelMethod::lagrange ? build_lagrange_model(machine, start, mobility)
                                                  : build_kernel_model(machine, start, mobility);
  if (mobility.free_motions > 0) {
    for (const auto& change : machine::choose_coordinates(machine, start, mobility).changes)
      kernel.model.notes.push_back(describe(change));
  }
  kernel.text = build_kernel_text(kernel.model, folding);
  return kernel;
}

}  // namespace rodeo::codegen
