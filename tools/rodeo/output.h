// SPDX-License-Identifier: MIT
// Writing a result to a file: all of it or none. The text goes to a temporary file in the same folder, which
// then takes the name of the result in one step, so that a full disk or a kill leaves no half-written file
// behind.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rodeo::tools {

/// What went wrong, as one sentence: cannot write 'out/x.svg': No such file or directory. Exit status 1.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws OutputError when `path` is one of the files that are read, or belongs to a built folder that is: writing would be the end of it.
void check_not_read(const std::string& path, const std::vector<std::string>& read);

/// The same of a folder that is replaced and the file that is read, when that is in it.
void check_holds_not_read(const std::string& folder, const std::string& read);

/// As check_not_read, and when `path` cannot be written: before the work, not after it.
void check_output(const std::string& path, const std::vector<std::string>& read);

/// Replaces the file `path` by `text`; throws OutputError and leaves `path` as it was if that cannot be done.
/// What is no regular file, such as /dev/stdout or a pipe, is written to directly.
void write_file(const std::string& path, std::string_view text);

}  // namespace rodeo::tools
