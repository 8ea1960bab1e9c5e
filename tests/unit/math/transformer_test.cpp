// SPDX-License-Identifier: Apache-2.0
#include "shakedown/math/transformer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "shakedown/base/error.h"
#include "shakedown/math/gemm_cost.h"

namespace shakedown {
namespace {

/// As Llama 3 8B is.
TransformerShape llama() {
  return {.hidden = 4096,
          .layers = 32,
          .heads = 32,
          .kv_heads = 8,
          .ffn = 14336,
          .sequence = 8192,
          .micro_batch = 1,
          .vocabulary = 128256,
          .gated = true,
          .tensor_parallel = 1};
}

double total(const TransformerShape& model) {
  double sum = 0;
  for (const NamedGemm& gemm : gemms_of(model)) sum += gemm.count * operations_of(gemm.shape);
  return sum;
}

NamedGemm find(const std::vector<NamedGemm>& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const NamedGemm& gemm) { return gemm.name == name; });
  if (found == list.end()) {
    ADD_FAILURE() << "no product is called " << name;
    return {};
  }
  return *found;
}

std::string refusal_of(const TransformerShape& model) {
  try {
    gemms_of(model);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Transformers, TakeSixOperationsAParameterAndToken) {
  // A layer: qkv 4096 x 6144, output 4096 x 4096, up and gate 4096 x 28672, down 14336 x 4096.
  const double layer = 25165824.0 + 16777216.0 + 117440512.0 + 58720256.0;
  const double parameters = 32 * layer + 128256.0 * 4096.0;
  EXPECT_EQ(parameters, 7504658432.0);
  EXPECT_EQ(total(llama()), 6 * parameters * 8192);
}

TEST(Transformers, RunTheseProducts) {
  const auto list = gemms_of(llama());
  EXPECT_EQ(list.size(), 15u);
  EXPECT_EQ(find(list, "qkv, forward").shape, (GemmShape{8192, 6144, 4096}));
  EXPECT_EQ(find(list, "qkv, input gradient").shape, (GemmShape{8192, 4096, 6144}));
  EXPECT_EQ(find(list, "qkv, weight gradient").shape, (GemmShape{6144, 4096, 8192}));
  EXPECT_EQ(find(list, "attention output, forward").shape, (GemmShape{8192, 4096, 4096}));
  EXPECT_EQ(find(list, "ffn up and gate, forward").shape, (GemmShape{8192, 28672, 4096}));
  EXPECT_EQ(find(list, "ffn down, weight gradient").shape, (GemmShape{4096, 14336, 8192}));
  EXPECT_EQ(find(list, "vocabulary, forward").shape, (GemmShape{8192, 128256, 4096}));
  EXPECT_EQ(find(list, "ffn down, forward").count, 32);
  EXPECT_EQ(find(list, "vocabulary, forward").count, 1);
}

TEST(Transformers, WithoutAGateHaveOneMatrixUp) {
  TransformerShape model = llama();
  model.gated = false;
  EXPECT_EQ(find(gemms_of(model), "ffn up, forward").shape, (GemmShape{8192, 14336, 4096}));
  EXPECT_EQ(total(llama()) - total(model), 6 * 32 * 4096.0 * 14336.0 * 8192.0);
}

TEST(Transformers, WithoutGroupsHaveAsManyKeysAsQueries) {
  TransformerShape model = llama();
  model.kv_heads = 32;
  EXPECT_EQ(find(gemms_of(model), "qkv, forward").shape, (GemmShape{8192, 12288, 4096}));
  model.kv_heads = 0;
  EXPECT_EQ(find(gemms_of(model), "qkv, forward").shape, (GemmShape{8192, 12288, 4096}));
}

TEST(Transformers, SplitEachWeightOverTensorParallel) {
  TransformerShape model = llama();
  model.tensor_parallel = 8;
  const auto list = gemms_of(model);
  EXPECT_EQ(find(list, "qkv, forward").shape, (GemmShape{8192, 768, 4096})) << "4 query heads, 1 key and 1 value head";
  EXPECT_EQ(find(list, "attention output, forward").shape, (GemmShape{8192, 4096, 512}));
  EXPECT_EQ(find(list, "ffn up and gate, forward").shape, (GemmShape{8192, 3584, 4096}));
  EXPECT_EQ(find(list, "ffn down, forward").shape, (GemmShape{8192, 4096, 1792}));
  EXPECT_EQ(find(list, "vocabulary, weight gradient").shape, (GemmShape{16032, 4096, 8192}));
  EXPECT_EQ(total(model), total(llama()) / 8);
}

TEST(Transformers, CountTheMicroBatchAsTokens) {
  TransformerShape model = llama();
  model.micro_batch = 4;
  EXPECT_EQ(total(model), 4 * total(llama()));
}

TEST(Transformers, NameWhatDoesNotDivide) {
  TransformerShape model = llama();
  model.heads = 30;
  EXPECT_NE(refusal_of(model).find("heads = 30"), std::string::npos) << refusal_of(model);
  model = llama();
  model.kv_heads = 5;
  EXPECT_NE(refusal_of(model).find("kv_heads = 5"), std::string::npos) << refusal_of(model);
  model = llama();
  model.tensor_parallel = 16;
  EXPECT_NE(refusal_of(model).find("kv_heads = 8 does not divide by tensor_parallel = 16"), std::string::npos)
      << refusal_of(model);
  model = llama();
  model.tensor_parallel = 2;
  model.vocabulary = 32001;
  EXPECT_NE(refusal_of(model).find("vocabulary = 32001"), std::string::npos) << refusal_of(model);
}

TEST(Transformers, NameWhatIsMissing) {
  TransformerShape model = llama();
  model.sequence = 0;
  EXPECT_NE(refusal_of(model).find("sequence is 0"), std::string::npos) << refusal_of(model);
  model = llama();
  model.tensor_parallel = 0;
  EXPECT_NE(refusal_of(model).find("tensor_parallel is 0"), std::string::npos) << refusal_of(model);
}

TEST(Transformers, BeyondSixtyFourBitsAreRefused) {
  TransformerShape model = llama();
  model.sequence = 1ull << 40;
  model.micro_batch = 1ull << 30;
  EXPECT_NE(refusal_of(model).find("64 bits"), std::string::npos) << refusal_of(model);
  model = llama();
  model.ffn = 1ull << 63;
  EXPECT_NE(refusal_of(model).find("64 bits"), std::string::npos) << refusal_of(model);
}

}  // namespace
}  // namespace shakedown
