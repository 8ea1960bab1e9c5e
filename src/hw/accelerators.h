// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shakedown/base/gemm_kind.h"

namespace shakedown {

/// One number for each kind of product, dense; 0 where there is none.
struct KindFigures {
  double float64{};  ///< through the tensor cores where they have it
  double float32{}, tfloat32{};
  double float16{}, float16_half{};  ///< summed in float32, in float16
  double bfloat16{};
  double float8{}, float8_fast{};  ///< without and with fast accumulation
  double int8{};
  double mxfp8{}, nvfp4{};

  /// None where the figure is 0.
  [[nodiscard]] std::optional<double> of(const GemmKind& kind) const;
};

/// Chips whose units do the same number of operations a clock. GeForce and professional chips of one design differ: the
/// former sum in float32 at half the rate.
enum class Architecture {
  volta,
  turing,
  ampere,
  ampere_pro,
  ampere_geforce,
  ada_pro,
  ada_geforce,
  hopper,
  hopper_reduced,  ///< H20: below its design by an unpublished means
  blackwell,
  blackwell_ultra,
  rtx_blackwell_pro,
  rtx_blackwell_geforce,
};

/// For people: "Hopper".
std::string_view name_of(Architecture architecture);

/// Dense operations a clock and unit. Sources are beside the figures.
const KindFigures& rates_of(Architecture architecture);

/// Whether the rate of this kind was derived from a rounded figure, so that a reading above it proves nothing.
bool is_rough(Architecture architecture, GemmType type);

/// What a vendor publishes of one product.
struct Accelerator {
  std::array<std::string_view, 4> words;  ///< of the driver's name, in lower case, all of which must be in it
  Architecture architecture;
  int units;
  double tensor_mhz;      ///< the clock with which rates and units make the published tensor figures
  double vector_mhz;      ///< the same for float32, and for float64
  KindFigures datasheet;  ///< 10^12 operations a second, dense
  std::string_view source;
};

/// Every product that is known by name; where two match a name, the first counts.
std::span<const Accelerator> accelerators();

/// The words of a driver's name, in lower case: "NVIDIA A100-SXM4-80GB" is nvidia, a100, sxm4, 80gb.
std::vector<std::string> words_of(std::string_view name);

/// The product that a driver's name means; null when it is none of accelerators(). A Ti, a Super or a laptop chip is
/// another product than the one whose name it extends.
const Accelerator* find_accelerator(std::string_view name);

/// The architecture of a compute capability; a name with "GeForce" or "TITAN" decides where designs are sold as both.
std::optional<Architecture> architecture_of(int cc_major, int cc_minor, std::string_view name);

}  // namespace shakedown
