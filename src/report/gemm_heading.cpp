// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/gemm_sections.h"
#include "report/gemm_words.h"
#include "report/words.h"

namespace shakedown {
namespace {

std::string started_text(const RunHeader& header) {
  std::string line = header.tool + " " + header.tool_version;
  if (!header.started_at.empty()) line += ", started " + header.started_at;
  std::string command;
  for (const std::string& word : header.command) command += " " + one_line(word);
  return command.empty() ? line : line + ":" + command;
}

/// Empty when it is not there.
std::string version_of(const NamedValues& versions, std::string_view name) {
  const auto found =
      std::find_if(versions.begin(), versions.end(), [&](const auto& version) { return version.first == name; });
  return found == versions.end() ? "" : one_line(found->second);
}

/// "NVIDIA H200 (node-a GPU 0)", "8 x NVIDIA H200 on 1 host", "AMD EPYC 9B14 (laptop)".
std::string devices_text(const RunContext& context) {
  const std::string chip = version_of(context.versions, "chip");
  const std::string unnamed = chip.empty() ? "CPU" : chip;
  std::set<std::string> names;
  for (const RankInfo& rank : context.ranks) names.insert(rank.device ? one_line(rank.device->name) : unnamed);
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  if (context.ranks.size() == 1)
    return fmt::format("{} ({})", list, place_text(context.ranks[0].host, context.ranks[0].device));
  return fmt::format("{} x {} on {}", context.ranks.size(), list, counted(host_count(context), "host"));
}

/// "cuBLASLt 13.1.0", as the engine calls it, or as the context's versions do.
std::string library_text(const NamedValues& versions) {
  std::string list = version_of(versions, "matrix_library");
  if (!list.empty()) return list;
  for (const std::string_view name : {"cublaslt", "onednn", "blas"}) {
    const std::string version = version_of(versions, name);
    if (!version.empty()) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", name, version);
  }
  return list;
}

std::string protocol_text(const GemmProtocol& protocol) {
  std::string modes;
  for (const GemmMode mode : protocol.modes) modes += fmt::format("{}{}", modes.empty() ? "" : ", ", name_of(mode));
  std::string data = fmt::format("{} data", name_of(protocol.data));
  if (protocol.data == GemmData::zeros || protocol.data == GemmData::ones)
    data += " (they take less power than real ones and look faster)";
  else
    data += fmt::format(", seed {}", protocol.seed);
  return modes + "; " + data;
}

std::string shapes_text(const GemmProtocol& protocol) {
  if (protocol.task == GemmTask::search) {
    const std::string rule =
        protocol.shape_rule.empty() || protocol.shape_rule == "search" ? "searched" : one_line(protocol.shape_rule);
    return protocol.budget.count() > 0 ? fmt::format("{}, within {:.4g} s", rule, protocol.budget.count()) : rule;
  }
  const std::string rule = protocol.shape_rule.empty() ? "" : " (" + one_line(protocol.shape_rule) + ")";
  return std::to_string(protocol.shapes) + rule;
}

std::string rates_text(const std::vector<GemmKind>& kinds) {
  const auto integer =
      std::count_if(kinds.begin(), kinds.end(), [](const GemmKind& kind) { return rate_unit_of(kind.type) == "TOPS"; });
  const bool all = integer == static_cast<std::ptrdiff_t>(kinds.size()) && integer > 0;
  if (all) return "TOPS, 10^12 operations a second; a product is 2 m n k operations";
  return fmt::format("TFLOPS, 10^12 floating-point operations a second{}; a product is 2 m n k operations",
                     integer > 0 ? " (int8: TOPS)" : "");
}

}  // namespace

std::string gemm_heading_text(const GemmReport& report, TextStyle style) {
  std::string out = wrapped(started_text(report.header), style.columns, "  ");
  const auto say = [&](std::string_view what, const std::string& text) {
    if (!text.empty()) out += wrapped(fmt::format("- {}: {}", what, text), style.columns, "  ");
  };
  for (const GemmKind& kind : report.protocol.kinds) say("product", kind_text(kind));
  if (!report.context.ranks.empty()) say("device", devices_text(report.context));
  say("library", library_text(report.context.versions));
  say("shapes", shapes_text(report.protocol));
  say("measured", protocol_text(report.protocol));
  say("rates", rates_text(report.protocol.kinds));
  return out;
}

}  // namespace shakedown
