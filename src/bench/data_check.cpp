// SPDX-License-Identifier: Apache-2.0
#include "bench/data_check.h"

#include <cstring>
#include <vector>

namespace shakedown {
namespace {

/// Any fixed number; the same on every rank and in every run, so that a wrong element can be looked at again.
constexpr std::uint32_t pattern_seed = 0x5EED;

std::string pack(const Mismatch& mismatch) {
  std::string bytes(sizeof mismatch, '\0');
  std::memcpy(bytes.data(), &mismatch, sizeof mismatch);
  return bytes;
}

Mismatch unpack(const std::string& bytes) {
  Mismatch mismatch;
  std::memcpy(&mismatch, bytes.data(), sizeof mismatch);
  return mismatch;
}

}  // namespace

DataCheck::DataCheck(Session& session, Device& device, DataType type, std::uint64_t count)
    : session_(session),
      device_(device),
      type_(type),
      count_(count),
      pattern_(make_check_pattern(type, session.size(), pattern_seed)) {}

void DataCheck::fill_input(Buffer& buffer) const {
  device_.fill_contribution(buffer, type_, count_, pattern_, session_.rank());
}

void DataCheck::clear(Buffer& buffer) const { device_.fill_bytes(buffer, 0, Bytes{count_ * size_of(type_)}); }

void DataCheck::poison(Buffer& buffer) const { device_.fill_bytes(buffer, 0xFF, Bytes{count_ * size_of(type_)}); }

void DataCheck::verify(const Buffer& buffer, std::uint64_t count, const RunContext& context, const std::string& when,
                       CollectiveRow& row) const {
  const auto found = session_.all_gather(pack(device_.check_sum(buffer, type_, count, pattern_)));
  row.checked = true;
  std::uint64_t wrong = row.wrong.value_or(0);
  for (std::size_t rank = 0; rank < found.size(); ++rank) {
    const Mismatch mismatch = unpack(found[rank]);
    wrong += mismatch.wrong;
    if (mismatch.wrong == 0 || row.first_wrong) continue;
    row.first_wrong = WrongElement{.rank = static_cast<int>(rank),
                                   .host = context.ranks.at(rank).host,
                                   .index = mismatch.first_index,
                                   .got = mismatch.got,
                                   .expected = mismatch.expected,
                                   .when = when};
  }
  row.wrong = wrong;
}

}  // namespace shakedown
