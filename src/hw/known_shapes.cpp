// SPDX-License-Identifier: Apache-2.0
#include "shakedown/hw/known_shapes.h"

#include <array>
#include <optional>

#include "hw/accelerators.h"

namespace shakedown {
namespace {

/// An earlier winner: of which generation, and with how many bits an input element.
struct Winner {
  Architecture architecture;
  std::size_t bits;
  GemmShape shape;
};

using enum Architecture;

// "MAMF table": the table of maximum achievable matmul FLOPS in Stas Bekman's Machine Learning Engineering Open Book.
constexpr std::array<Winner, 27> winners{{
    {ampere, 16, {1024, 10240, 5120}},            // MAMF table, A100 SXM
    {ampere, 16, {2048, 5120, 6144}},             // MAMF table, A100 PCIe
    {hopper, 16, {2048, 4224, 18944}},            // measured on an H200 with cuBLASLt 13.1: best burst
    {hopper, 16, {2048, 4096, 15360}},            // the same: best burst of the 1024 lattice
    {hopper, 16, {3072, 2816, 16384}},            // the same: best sustained
    {hopper, 16, {2816, 3072, 16384}},            // the same, on another H200: best sustained
    {hopper, 16, {1536, 5632, 16384}},            // the same: best burst
    {hopper, 16, {2816, 1536, 21248}},            // the same, on a third
    {hopper, 16, {2048, 2048, 13312}},            // MAMF table, H100 SXM
    {hopper, 16, {1024, 15360, 4096}},            // MAMF table, GH200
    {hopper, 16, {11264, 19712, 1536}},           // MAMF table, GH200, earlier version (pull request 60)
    {hopper, 8, {2048, 12288, 16384}},            // measured on an H200 with cuBLASLt 13.1: best burst
    {hopper, 8, {8192, 8192, 8192}},              // the same: within 0.2 % of it
    {hopper, 8, {1280, 4096, 12032}},             // MAMF table, H200
    {hopper, 8, {1024, 9216, 14336}},             // MAMF table, H100 SXM
    {hopper, 8, {1024, 14336, 14336}},            // MAMF table, GH200
    {hopper, 8, {4096, 7168, 16384}},             // DeepGEMM's README, H800
    {blackwell, 16, {1792, 16128, 3072}},         // MAMF table, B200
    {blackwell, 16, {4096, 9728, 2048}},          // MAMF table, GB200
    {blackwell, 16, {4096, 4096, 4096}},          // Modular's "Matrix multiplication on Blackwell", part 4, B200
    {blackwell, 8, {15360, 4096, 3072}},          // MAMF table, B200
    {blackwell, 8, {19456, 5120, 1536}},          // MAMF table, GB200
    {blackwell, 8, {16384, 17920, 16384}},        // NVIDIA's CUTLASS 3.8, profiling shape of its peak performance
    {blackwell_ultra, 16, {12288, 18432, 1024}},  // MAMF table, B300
    {blackwell_ultra, 16, {1792, 16128, 3072}},   // as Blackwell's, of which it is the successor
    {blackwell_ultra, 8, {3072, 6144, 7168}},     // MAMF table, B300
    {blackwell_ultra, 8, {15360, 4096, 3072}},    // as Blackwell's
}};

std::optional<Architecture> generation_of(const ChipFacts& chip) {
  if (const Accelerator* product = find_accelerator(chip.name)) return product->architecture;
  return architecture_of(chip.cc_major, chip.cc_minor, chip.name);
}

/// The width whose winners serve a type: what decides is how much of k a tile's operands hold, in bytes.
std::size_t served_by(GemmType type) {
  switch (type) {
    case GemmType::tfloat32:
      return 16;  // tensor cores as well, and no winner of its own is known
    case GemmType::nvfp4:
      return 8;  // the same
    default:
      return input_bits_of(type);
  }
}

}  // namespace

std::vector<GemmShape> known_good_shapes(const ChipFacts& chip, GemmType type) {
  std::vector<GemmShape> shapes;
  const auto generation = generation_of(chip);
  for (const Winner& winner : winners) {
    if (generation == winner.architecture && winner.bits == served_by(type)) shapes.push_back(winner.shape);
  }
  return shapes;
}

}  // namespace shakedown
