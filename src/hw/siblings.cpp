// SPDX-License-Identifier: Apache-2.0
#include "shakedown/hw/siblings.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

namespace shakedown {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_thread_name = 15;

std::string read_file(const fs::path& path) {
  std::ifstream file{path, std::ios::binary};
  std::ostringstream text;
  if (file) text << file.rdbuf();
  return text.str();
}

std::optional<int> parse_int(std::string_view text) {
  int value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The value of NAME in a block of "NAME=value\0".
std::optional<std::string_view> value_of(std::string_view block, std::string_view name) {
  while (!block.empty()) {
    const std::string_view entry = block.substr(0, block.find('\0'));
    if (entry.size() > name.size() && entry[name.size()] == '=' && entry.substr(0, name.size()) == name) {
      return entry.substr(name.size() + 1);
    }
    block.remove_prefix(std::min(block.size(), entry.size() + 1));
  }
  return std::nullopt;
}

std::optional<int> number_of(std::string_view block, std::string_view name) {
  const auto value = value_of(block, name);
  return value ? parse_int(*value) : std::nullopt;
}

/// The program's file name; the kernel's short name where the command line is empty.
std::string program_name(const fs::path& process) {
  const std::string line = read_file(process / "cmdline");
  std::string program = fs::path{line.substr(0, line.find('\0'))}.filename().string();
  if (!program.empty()) return program;
  std::string name = read_file(process / "comm");
  while (!name.empty() && name.back() == '\n') name.pop_back();
  return name;
}

char process_state(const fs::path& process) {
  const std::string stat =
      read_file(process / "stat");  // "pid (name) S ..."; the name may hold anything, so from its end
  const auto close = stat.rfind(')');
  return close == std::string::npos || close + 2 >= stat.size() ? '?' : stat[close + 2];
}

void read_stage(const fs::path& process, Sibling& sibling) {
  std::error_code error;
  for (fs::directory_iterator task{process / "task", error}, end; !error && task != end; task.increment(error)) {
    std::string name = read_file(task->path() / "comm");
    while (!name.empty() && name.back() == '\n') name.pop_back();
    if (name.size() < 4 || name.compare(0, 2, "sd") != 0) continue;
    const auto mark = static_cast<StageMark>(name[2]);
    if (mark != StageMark::waiting && mark != StageMark::fired && mark != StageMark::spoken) continue;
    sibling.mark = mark;
    sibling.stage = name.substr(3);
    return;
  }
}

}  // namespace

std::string stage_thread_name(const std::string& stage_code, StageMark mark) {
  return ("sd" + std::string(1, static_cast<char>(mark)) + stage_code).substr(0, longest_thread_name);
}

std::vector<Sibling> find_siblings(const std::string& job, const fs::path& proc) {
  std::vector<Sibling> siblings;
  if (job.empty()) return siblings;
  std::error_code error;
  for (fs::directory_iterator entry{proc, error}, end; !error && entry != end; entry.increment(error)) {
    const auto pid = parse_int(entry->path().filename().string());
    if (!pid) continue;
    const std::string block = read_file(entry->path() / "environ");
    if (value_of(block, "PMIX_NAMESPACE") != job) continue;
    Sibling sibling;
    sibling.pid = *pid;
    sibling.rank = number_of(block, "PMIX_RANK");
    sibling.local_rank = number_of(block, "OMPI_COMM_WORLD_LOCAL_RANK");
    if (!sibling.local_rank) sibling.local_rank = number_of(block, "SLURM_LOCALID");
    sibling.name = program_name(entry->path());
    sibling.state = process_state(entry->path());
    read_stage(entry->path(), sibling);
    siblings.push_back(std::move(sibling));
  }
  std::sort(siblings.begin(), siblings.end(), [](const Sibling& a, const Sibling& b) { return a.pid < b.pid; });
  return siblings;
}

}  // namespace shakedown
