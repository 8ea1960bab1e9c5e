// SPDX-License-Identifier: Apache-2.0
#include "model_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "option_values.h"
#include "shakedown/base/error.h"

namespace shakedown {
namespace {

constexpr std::uint64_t largest = std::uint64_t{1} << 40;

/// One number of the model, as the command line calls it.
struct Key {
  const char* name;
  std::uint64_t TransformerShape::*number;
  bool required;
};

constexpr std::array keys{Key{"hidden", &TransformerShape::hidden, true},
                          Key{"layers", &TransformerShape::layers, true},
                          Key{"heads", &TransformerShape::heads, true},
                          Key{"kv_heads", &TransformerShape::kv_heads, false},
                          Key{"ffn", &TransformerShape::ffn, true},
                          Key{"seq", &TransformerShape::sequence, true},
                          Key{"mbs", &TransformerShape::micro_batch, false},
                          Key{"vocab", &TransformerShape::vocabulary, true},
                          Key{"tp", &TransformerShape::tensor_parallel, false}};

bool parse_gated(const std::string& text) {
  for (const char* yes : {"1", "true", "yes"})
    if (text == yes) return true;
  for (const char* no : {"0", "false", "no"})
    if (text == no) return false;
  throw UsageError(fmt::format("--model: gated: '{}' is not one of 1, 0, true, false, yes, no", text));
}

void take(TransformerShape& model, const std::string& name, const std::string& value) {
  if (name == "gated") {
    model.gated = parse_gated(value);
    return;
  }
  const auto key = std::find_if(keys.begin(), keys.end(), [&](const Key& each) { return name == each.name; });
  if (key == keys.end())
    throw UsageError(
        fmt::format("--model: '{}' is no key; keys are hidden, layers, heads, kv_heads, ffn, gated, seq, mbs, vocab, "
                    "tp",
                    name));
  model.*(key->number) = parse_large_count(value, fmt::format("--model: {}", name), 1, largest);
}

}  // namespace

TransformerShape parse_model(const std::string& text) {
  TransformerShape model;
  model.micro_batch = 1;
  std::vector<std::string> seen;
  for (const std::string& pair : split_list(text)) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos)
      throw UsageError(fmt::format("--model: '{}' is no key=value, e.g. hidden=4096", pair));
    const std::string name = pair.substr(0, equals);
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      throw UsageError(fmt::format("--model: {} is given more than once", name));
    take(model, name, pair.substr(equals + 1));
    seen.push_back(name);
  }
  std::string missing;
  for (const Key& key : keys)
    if (key.required && std::find(seen.begin(), seen.end(), key.name) == seen.end())
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", key.name);
  if (!missing.empty())
    throw UsageError(
        fmt::format("--model: missing: {} (kv_heads is heads, gated 1, mbs 1 and tp 1 unless given)", missing));
  if (model.kv_heads == 0) model.kv_heads = model.heads;
  gemms_of(model);  // throws what does not divide
  return model;
}

std::string describe(const TransformerShape& model) {
  return fmt::format(
      "decoder with hidden {}, {} layers, {} heads, {} key-value heads, {} feed-forward {}, sequence {}, micro-batch "
      "{}, vocabulary {}, tensor parallel {}: forward and both backward products of one micro-batch on one device; "
      "attention's own products (scores and values) are left out",
      model.hidden, model.layers, model.heads, model.kv_heads, model.gated ? "gated" : "plain", model.ffn,
      model.sequence, model.micro_batch, model.vocabulary, model.tensor_parallel);
}

}  // namespace shakedown
