// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
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

/// "NVIDIA H200 on node-a", "8 x NVIDIA H200 on 1 host"; "the CPU of node-a".
std::string devices_text(const RunContext& context) {
  std::set<std::string> names;
  for (const RankInfo& rank : context.ranks) names.insert(rank.device ? rank.device->name : "CPU");
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + one_line(name);
  if (context.ranks.size() == 1)
    return fmt::format("{} ({})", list, place_text(context.ranks[0].host, context.ranks[0].device));
  return fmt::format("{} x {} on {}", context.ranks.size(), list, counted(host_count(context), "host"));
}

std::string library_text(const NamedValues& versions) {
  constexpr std::array<std::string_view, 3> libraries{"cublaslt", "onednn", "blas"};
  std::string list;
  for (const auto& [name, value] : versions) {
    if (std::find(libraries.begin(), libraries.end(), name) == libraries.end()) continue;
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", name, one_line(value));
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
