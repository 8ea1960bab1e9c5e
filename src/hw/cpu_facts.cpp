// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "shakedown/hw/cpu_topology.h"
#include "shakedown/hw/gemm_peak.h"

namespace shakedown {
namespace {

/// What the kernel calls an instruction set, and where it is kept.
struct FlagName {
  std::string_view name;
  bool CpuFacts::*member;
};
constexpr std::array flag_names{
    FlagName{"avx2", &CpuFacts::avx2},
    FlagName{"avx_vnni", &CpuFacts::avx_vnni},
    FlagName{"avx512f", &CpuFacts::avx512},
    FlagName{"avx512_vnni", &CpuFacts::avx512_vnni},
    FlagName{"avx512_bf16", &CpuFacts::avx512_bf16},
    FlagName{"avx512_fp16", &CpuFacts::avx512_fp16},
    FlagName{"amx_bf16", &CpuFacts::amx_bf16},
    FlagName{"amx_int8", &CpuFacts::amx_int8},
    FlagName{"amx_fp16", &CpuFacts::amx_fp16},
    FlagName{"asimd", &CpuFacts::neon},
    FlagName{"sve", &CpuFacts::sve},
    FlagName{"bf16", &CpuFacts::arm_bf16},
    FlagName{"i8mm", &CpuFacts::arm_i8mm},
};

/// Arm's cores whose name the kernel leaves to lscpu: implementer 0x41, and the part.
struct ArmPart {
  int part;
  std::string_view name;
};
constexpr std::array arm_parts{ArmPart{0xd0c, "Arm Neoverse N1"}, ArmPart{0xd40, "Arm Neoverse V1"},
                               ArmPart{0xd49, "Arm Neoverse N2"}, ArmPart{0xd4f, "Arm Neoverse V2"}};

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// A decimal number or one with 0x; 0 for anything else.
int parse_number(std::string_view text) {
  const bool is_hex = text.substr(0, 2) == "0x";
  if (is_hex) text.remove_prefix(2);
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, is_hex ? 16 : 10);
  return value;
}

void take_flags(CpuFacts& facts, std::string_view list) {
  std::istringstream words{std::string{list}};
  const std::set<std::string, std::less<>> flags{std::istream_iterator<std::string>{words}, {}};
  for (const FlagName& flag : flag_names) facts.*flag.member = flags.count(flag.name) != 0;
}

void take_line(CpuFacts& facts, std::string_view key, std::string_view value) {
  if (key == "model name") facts.name = value;
  if (key == "vendor_id") facts.vendor = value;
  if (key == "cpu family" || key == "CPU implementer") facts.family = parse_number(value);
  if (key == "model" || key == "CPU part") facts.model = parse_number(value);
  if (key == "CPU implementer" && facts.family == 0x41) facts.vendor = "ARM";
  if (key == "flags" || key == "Features") take_flags(facts, value);
}

}  // namespace

CpuFacts parse_cpu_facts(const std::string& cpuinfo) {
  CpuFacts facts;
  std::istringstream lines{cpuinfo};
  bool started = false;
  for (std::string line; std::getline(lines, line);) {
    const std::string_view text = trim(line);
    if (text.empty() && started) break;  // the first processor speaks for all
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) continue;
    started = true;
    take_line(facts, trim(text.substr(0, colon)), trim(text.substr(colon + 1)));
  }
  if (facts.name.empty() && facts.vendor == "ARM") {
    for (const ArmPart& arm : arm_parts) {
      if (arm.part == facts.model) facts.name = arm.name;
    }
  }
  if (facts.name.empty()) facts.name = "unknown processor";
  return facts;
}

CpuFacts read_cpu_facts() {
  std::ifstream file{"/proc/cpuinfo"};
  std::ostringstream text;
  if (file) text << file.rdbuf();
  CpuFacts facts = parse_cpu_facts(text.str());
  const std::vector<int> cores = usable_cores();
  facts.cores = static_cast<int>(cores.size());
  facts.max_clock_mhz = max_clock_mhz(cores.front());
  return facts;
}

}  // namespace shakedown
