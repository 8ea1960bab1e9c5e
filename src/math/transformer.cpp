// SPDX-License-Identifier: Apache-2.0
#include "shakedown/math/transformer.h"

#include <fmt/format.h>

#include <limits>
#include <string_view>
#include <utility>

#include "shakedown/base/error.h"

namespace shakedown {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw UsageError(fmt::format("the products of this model: {}", why));
}

struct NamedNumber {
  std::string_view name;
  std::uint64_t value;
};

void check_not_zero(const TransformerShape& model) {
  for (const NamedNumber& number :
       {NamedNumber{"hidden", model.hidden}, NamedNumber{"layers", model.layers}, NamedNumber{"heads", model.heads},
        NamedNumber{"ffn", model.ffn}, NamedNumber{"sequence", model.sequence},
        NamedNumber{"micro_batch", model.micro_batch}, NamedNumber{"vocabulary", model.vocabulary},
        NamedNumber{"tensor_parallel", model.tensor_parallel}}) {
    if (number.value == 0) refuse(fmt::format("{} is 0; give at least 1", number.name));
  }
}

std::uint64_t divided(const NamedNumber& number, const NamedNumber& divisor) {
  if (number.value % divisor.value != 0) {
    refuse(fmt::format("{} = {} does not divide by {} = {}; give a multiple (a vocabulary is often padded to one)",
                       number.name, number.value, divisor.name, divisor.value));
  }
  return number.value / divisor.value;
}

std::uint64_t multiplied(const NamedNumber& a, const NamedNumber& b) {
  if (b.value != 0 && a.value > std::numeric_limits<std::uint64_t>::max() / b.value) {
    refuse(
        fmt::format("{} = {} times {} = {} is beyond 64 bits; give smaller numbers", a.name, a.value, b.name, b.value));
  }
  return a.value * b.value;
}

/// One weight matrix of the model as one device holds it.
struct Weight {
  std::string_view name;
  std::uint64_t inputs, outputs;
  std::uint64_t copies;
};

void add_products(std::vector<NamedGemm>& list, const Weight& weight, std::uint64_t tokens) {
  const auto [name, inputs, outputs, copies] = weight;
  const double count = static_cast<double>(copies);
  list.push_back({fmt::format("{}, forward", name), {tokens, outputs, inputs}, count});
  list.push_back({fmt::format("{}, input gradient", name), {tokens, inputs, outputs}, count});
  list.push_back({fmt::format("{}, weight gradient", name), {outputs, inputs, tokens}, count});
}

std::vector<Weight> weights_of(const TransformerShape& model) {
  const NamedNumber tp{"tensor_parallel", model.tensor_parallel};
  const NamedNumber heads{"heads", model.heads};
  const NamedNumber kv_heads{"kv_heads", model.kv_heads == 0 ? model.heads : model.kv_heads};
  divided(heads, kv_heads);
  const NamedNumber head_size{"hidden / heads", divided({"hidden", model.hidden}, heads)};
  // No products pass 64 bits here: heads x head_size is hidden, and there are at most as many kv_heads.
  const std::uint64_t query = divided(heads, tp) * head_size.value;
  const std::uint64_t key_and_value = 2 * (divided(kv_heads, tp) * head_size.value);
  const std::uint64_t ffn = divided({"ffn", model.ffn}, tp);
  const std::uint64_t vocabulary = divided({"vocabulary", model.vocabulary}, tp);
  const std::uint64_t up = multiplied({"ffn", ffn}, {"the up and gate matrices", model.gated ? 2u : 1u});
  return {{"qkv", model.hidden, query + key_and_value, model.layers},
          {"attention output", query, model.hidden, model.layers},
          {model.gated ? "ffn up and gate" : "ffn up", model.hidden, up, model.layers},
          {"ffn down", ffn, model.hidden, model.layers},
          {"vocabulary", model.hidden, vocabulary, 1}};
}

}  // namespace

std::vector<NamedGemm> gemms_of(const TransformerShape& model) {
  check_not_zero(model);
  // So that three times as much (qkv) has room as well.
  multiplied({"hidden", model.hidden}, {"the q, k and v matrices", 3});
  const std::uint64_t tokens = multiplied({"sequence", model.sequence}, {"micro_batch", model.micro_batch});
  std::vector<NamedGemm> list;
  for (const Weight& weight : weights_of(model)) add_products(list, weight, tokens);
  return list;
}

}  // namespace shakedown
