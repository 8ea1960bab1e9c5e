// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shakedown/base/gemm_kind.h"

namespace shakedown {

/// The numbers that decide a decoder's matrix products. A head is hidden / heads wide; kv_heads of 0 are as many as
/// heads.
struct TransformerShape {
  std::uint64_t hidden{}, layers{}, heads{}, kv_heads{}, ffn{}, sequence{}, micro_batch{}, vocabulary{};
  bool gated{true};  ///< a gated feed-forward (SwiGLU): up and gate together
  std::uint64_t tensor_parallel{1};
};

/// One kind of product in a training step.
struct NamedGemm {
  std::string name;  ///< "qkv, forward", "ffn down, weight gradient"
  GemmShape shape;
  double count{};  ///< times a step runs it, on one device
};

/// The products of one forward and backward pass over one micro-batch on one device: qkv, attention output, ffn up (and
/// gate), ffn down, and the vocabulary; for each the forward product, the gradient of its input and that of its weight.
/// With t = sequence x micro_batch tokens, forward is (t x in) times (in x out). Left out: attention's own products
/// (scores and values), the embedding's look-up, a router of experts, and the second forward pass of recomputation.
/// Split over tensor_parallel as Megatron does: qkv, up and vocabulary by their outputs, attention output and down by
/// their inputs. Throws UsageError that names what is 0, does not divide, or is beyond 64 bits.
std::vector<NamedGemm> gemms_of(const TransformerShape& model);

}  // namespace shakedown
