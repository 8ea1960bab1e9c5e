// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kinds.h"
#include "model_option.h"
#include "shakedown/base/error.h"
#include "shape_file.h"

namespace shakedown {
namespace {

template <class Body>
std::string message_of(Body body) {
  try {
    body();
  } catch (const UsageError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no UsageError";
  return {};
}

void expect_parts(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << "'" << message << "' lacks '" << part << "'";
}

constexpr const char* llama = "hidden=4096,layers=32,heads=32,kv_heads=8,ffn=14336,seq=8192,vocab=128256";

TEST(ModelOption, ReadsItsKeysAndFillsTheRest) {
  const TransformerShape model = parse_model(llama);
  EXPECT_EQ(model.hidden, 4096u);
  EXPECT_EQ(model.kv_heads, 8u);
  EXPECT_EQ(model.micro_batch, 1u);
  EXPECT_EQ(model.tensor_parallel, 1u);
  EXPECT_TRUE(model.gated);
  const TransformerShape plain = parse_model("hidden=64,layers=2,heads=4,ffn=256,seq=16,vocab=100,gated=0,mbs=3");
  EXPECT_EQ(plain.kv_heads, 4u) << "as many as heads";
  EXPECT_FALSE(plain.gated);
  EXPECT_EQ(plain.micro_batch, 3u);
  expect_parts(describe(plain), {"64", "plain", "left out"});
}

TEST(ModelOption, NamesEveryMissingKey) {
  expect_parts(message_of([] { parse_model("hidden=4096,seq=8"); }), {"missing", "layers", "heads", "ffn", "vocab"});
}

TEST(ModelOption, NamesABadKeyOrValue) {
  const std::string rest = std::string(",") + llama;
  expect_parts(message_of([&] { parse_model("depth=3" + rest); }), {"'depth'", "hidden", "tp"});
  expect_parts(message_of([&] { parse_model("tp=x" + rest); }), {"tp", "'x'"});
  expect_parts(message_of([&] { parse_model("tp=0" + rest); }), {"tp", "'0'"});
  expect_parts(message_of([&] { parse_model("tp" + rest); }), {"'tp'", "key=value"});
  expect_parts(message_of([&] { parse_model("gated=maybe" + rest); }), {"gated", "maybe"});
  expect_parts(message_of([&] { parse_model("hidden=1" + rest); }), {"hidden", "more than once"});
  expect_parts(message_of([&] { parse_model("tp=5" + rest); }), {"5"});
}

TEST(ShapeFile, ReadsLinesCommentsAndNames) {
  const auto gemms = parse_shapes(
      "# the products of a block\n"
      "\n"
      "1024 2048 4096 96 ffn up, forward  # twice gated\n"
      "8192x8192x8192\n"
      "  16x32x64 2.5\n"
      "7,8,9,3,named by commas\r\n",
      "f");
  ASSERT_EQ(gemms.size(), 4u);
  EXPECT_EQ(gemms[0].shape, (GemmShape{1024, 2048, 4096}));
  EXPECT_EQ(gemms[0].count, 96);
  EXPECT_EQ(gemms[0].name, "ffn up forward") << "a comma is a blank";
  EXPECT_EQ(gemms[1].shape, (GemmShape{8192, 8192, 8192}));
  EXPECT_EQ(gemms[1].count, 1);
  EXPECT_EQ(gemms[1].name, "8192x8192x8192");
  EXPECT_EQ(gemms[2].count, 2.5);
  EXPECT_EQ(gemms[3].name, "named by commas");
  EXPECT_EQ(parse_shapes("m,n,k,count,name\n1,2,3,4,five\n", "f").size(), 1u) << "a heading is no shape";
}

TEST(ShapeFile, NamesTheLineThatIsWrong) {
  expect_parts(message_of([] { parse_shapes("1 2 3\n4 5\n", "file.txt"); }), {"file.txt", "line 2", "m n k"});
  expect_parts(message_of([] { parse_shapes("1 2 0\n", "file.txt"); }), {"line 1", "k", "'0'"});
  expect_parts(message_of([] { parse_shapes("1 2 3x\n", "file.txt"); }), {"line 1", "'3x'"});
  expect_parts(message_of([] { parse_shapes("1 2 3 0\n", "file.txt"); }), {"line 1", "count"});
  expect_parts(message_of([] { parse_shapes("# nothing\n", "file.txt"); }), {"file.txt", "no shape"});
  expect_parts(message_of([] { parse_shapes("[[1,2,3]]", "file.txt"); }), {"file.txt", "JSON"});
  expect_parts(message_of([] { read_shapes("/no/such/file"); }), {"/no/such/file", "No such file"});
  expect_parts(message_of([] { read_shapes("/"); }), {"can't be read"});
}

TEST(Kinds, Float8TypesAccumulateFastUnlessTold) {
  const auto kinds = kinds_of({GemmType::float8_e4m3fn, GemmType::bfloat16}, std::nullopt, GemmLayout::nn);
  ASSERT_EQ(kinds.size(), 2u);
  EXPECT_EQ(kinds[0].accumulation, Accumulation::fast);
  EXPECT_EQ(kinds[1].accumulation, Accumulation::standard);
  EXPECT_EQ(kinds[1].layout, GemmLayout::nn);
  EXPECT_EQ(kinds_of({GemmType::float8_e5m2}, Accumulation::standard, GemmLayout::tn)[0].accumulation,
            Accumulation::standard);
}

TEST(Kinds, EveryKindHoldsEachAccumulationOfEachTypeOnce) {
  const auto kinds = every_kind(std::nullopt, GemmLayout::tn);
  for (const GemmKind& kind : kinds) {
    EXPECT_EQ(std::count(kinds.begin(), kinds.end(), kind), 1) << describe(kind);
    EXPECT_EQ(accumulation_refusal(kind.type, kind.accumulation), "");
  }
  EXPECT_EQ(kinds.size(), all_gemm_types().size() + 3) << "both float8 types and float16 have two";
  EXPECT_EQ(every_kind(Accumulation::half, GemmLayout::tn).size(), 1u);
}

}  // namespace
}  // namespace shakedown
