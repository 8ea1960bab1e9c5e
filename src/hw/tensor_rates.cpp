// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <stdexcept>

#include "hw/accelerators.h"

namespace shakedown {
namespace {

/// One architecture's line of the table.
struct Rates {
  Architecture architecture;
  std::string_view name;
  KindFigures per_clock;
};

// 4096 of bfloat16 for Hopper, 8192 for Blackwell, 1024 for RTX Blackwell: NVIDIA's cudnn-frontend, benchmark/. 64
// (V100) to 4096 (H100): AMD's "Understanding Peak and Max-Achievable FLOPS". GeForce's half rate with float32 sums:
// NVIDIA's Ada and RTX Blackwell whitepapers. All others: the products' published figures over units and clock, as
// gpu_peak_test.cpp does it back.
constexpr std::array<Rates, 13> table{{
    {Architecture::volta, "Volta", {.float64 = 64, .float32 = 128, .float16 = 1024, .float16_half = 1024, .int8 = 512}},
    {Architecture::turing,
     "Turing",
     {.float64 = 4, .float32 = 128, .float16 = 1024, .float16_half = 1024, .int8 = 2048}},
    {Architecture::ampere,
     "Ampere",
     {.float64 = 128,
      .float32 = 128,
      .tfloat32 = 1024,
      .float16 = 2048,
      .float16_half = 2048,
      .bfloat16 = 2048,
      .int8 = 4096}},
    {Architecture::ampere_pro,
     "Ampere, professional",
     {.float64 = 4,
      .float32 = 256,
      .tfloat32 = 512,
      .float16 = 1024,
      .float16_half = 1024,
      .bfloat16 = 1024,
      .int8 = 2048}},
    {Architecture::ampere_geforce,
     "Ampere, GeForce",
     {.float64 = 4,
      .float32 = 256,
      .tfloat32 = 256,
      .float16 = 512,
      .float16_half = 1024,
      .bfloat16 = 512,
      .int8 = 2048}},
    {Architecture::ada_pro,
     "Ada, professional",
     {.float64 = 4,
      .float32 = 256,
      .tfloat32 = 512,
      .float16 = 1024,
      .float16_half = 1024,
      .bfloat16 = 1024,
      .float8 = 2048,
      .float8_fast = 2048,
      .int8 = 2048}},
    {Architecture::ada_geforce,
     "Ada, GeForce",
     {.float64 = 4,
      .float32 = 256,
      .tfloat32 = 256,
      .float16 = 512,
      .float16_half = 1024,
      .bfloat16 = 512,
      .float8 = 1024,
      .float8_fast = 2048,
      .int8 = 2048}},
    {Architecture::hopper,
     "Hopper",
     {.float64 = 256,
      .float32 = 256,
      .tfloat32 = 2048,
      .float16 = 4096,
      .float16_half = 4096,
      .bfloat16 = 4096,
      .float8 = 8192,
      .float8_fast = 8192,
      .int8 = 8192}},
    {Architecture::hopper_reduced, "Hopper, reduced", {}},
    {Architecture::blackwell,
     "Blackwell",
     {.float64 = 128,
      .float32 = 256,
      .tfloat32 = 4096,
      .float16 = 8192,
      .float16_half = 8192,
      .bfloat16 = 8192,
      .float8 = 16384,
      .float8_fast = 16384,
      .int8 = 16384,
      .mxfp8 = 16384,
      .nvfp4 = 32768}},
    {Architecture::blackwell_ultra,
     "Blackwell Ultra",
     {.float64 = 4,
      .float32 = 256,
      .tfloat32 = 4096,
      .float16 = 8192,
      .float16_half = 8192,
      .bfloat16 = 8192,
      .float8 = 16384,
      .float8_fast = 16384,
      .int8 = 512,
      .mxfp8 = 16384,
      .nvfp4 = 49152}},
    {Architecture::rtx_blackwell_pro,
     "RTX Blackwell, professional",
     {.float64 = 4,
      .float32 = 256,
      .tfloat32 = 512,
      .float16 = 1024,
      .float16_half = 1024,
      .bfloat16 = 1024,
      .float8 = 2048,
      .float8_fast = 2048,
      .int8 = 2048,
      .mxfp8 = 2048,
      .nvfp4 = 4096}},
    {Architecture::rtx_blackwell_geforce,
     "RTX Blackwell, GeForce",
     {.float64 = 4,
      .float32 = 256,
      .tfloat32 = 256,
      .float16 = 512,
      .float16_half = 1024,
      .bfloat16 = 512,
      .float8 = 1024,
      .float8_fast = 2048,
      .int8 = 2048,
      .mxfp8 = 2048,
      .nvfp4 = 4096}},
}};

const Rates& line_of(Architecture architecture) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Rates& line) { return line.architecture == architecture; });
  if (found == table.end()) throw std::logic_error("an Architecture that is not in the table");
  return *found;
}

}  // namespace

std::optional<double> KindFigures::of(const GemmKind& kind) const {
  const auto figure = [&] {
    switch (kind.type) {
      case GemmType::float64:
        return float64;
      case GemmType::float32:
        return float32;
      case GemmType::tfloat32:
        return tfloat32;
      case GemmType::float16:
        return kind.accumulation == Accumulation::half ? float16_half : float16;
      case GemmType::bfloat16:
        return bfloat16;
      case GemmType::float8_e4m3fn:
      case GemmType::float8_e5m2:
        return kind.accumulation == Accumulation::fast ? float8_fast : float8;
      case GemmType::int8:
        return int8;
      case GemmType::mxfp8:
        return mxfp8;
      case GemmType::nvfp4:
        return nvfp4;
    }
    throw std::logic_error("a GemmType without a column");
  }();
  return figure > 0 ? std::optional(figure) : std::nullopt;
}

std::string_view name_of(Architecture architecture) { return line_of(architecture).name; }
const KindFigures& rates_of(Architecture architecture) { return line_of(architecture).per_clock; }

bool is_rough(Architecture architecture, GemmType type) {
  // About 0.15 x 10^15 of int8 and 1.2 to 1.3 x 10^12 of float64 are all that is published.
  return architecture == Architecture::blackwell_ultra && (type == GemmType::int8 || type == GemmType::float64);
}

}  // namespace shakedown
