// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common_options.h"
#include "early_exit.h"
#include "shakedown/base/gemm_kind.h"
#include "shakedown/base/units.h"
#include "shakedown/math/transformer.h"
#include "shakedown/model/gemm_report.h"

namespace shakedown {

/// A rate that is asked for.
struct MinimumRate {
  double value{};                ///< in 10^12 operations a second
  std::optional<GemmMode> mode;  ///< none: the first of the protocol
};

/// Which devices are measured; under a launcher each rank has its own.
struct DeviceChoice {
  bool all{false};
  std::vector<int> indices;  ///< empty: the first
};

/// What the command line said, checked as far as one process can check it without a device. Defaults that depend on the
/// device stay open.
struct Options : CommonOptions {
  bool all_types{false};
  std::vector<GemmType> types;  ///< empty: the default of the device
  std::optional<Accumulation> accumulation;
  GemmLayout layout{GemmLayout::tn};
  GemmData data{GemmData::normal};
  std::uint64_t seed{42};

  std::vector<GemmMode> modes{GemmMode::burst, GemmMode::sustained};
  std::optional<Seconds> budget;  ///< of a search
  bool exhaustive{false};
  std::vector<std::uint64_t> m, n, k;  ///< each empty, or none is
  std::string shape_rule;              ///< of m, n and k, for people
  std::optional<std::string> shapes_file;
  std::optional<TransformerShape> model;
  std::optional<std::string> resume;
  std::optional<int> iterations;  ///< burst: least samples; mamf-v2: products
  std::optional<int> warmups;
  std::optional<int> algorithms;
  std::vector<GemmShape> controls;  ///< measured beside a search's winners
  std::optional<MinimumRate> min_rate;

  DeviceChoice devices;

  [[nodiscard]] bool measures(GemmMode mode) const;
  [[nodiscard]] GemmTask task() const;
};

/// Reads the arguments, the program's name left out. Never exits and never prints.
std::variant<Options, EarlyExit> parse_options(const std::vector<std::string>& arguments, const std::string& version);

}  // namespace shakedown
