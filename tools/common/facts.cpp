// SPDX-License-Identifier: Apache-2.0
#include "facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "shakedown/base/error.h"

namespace shakedown {
namespace {

/// Ends each field of a message between ranks; in a field it becomes a question mark.
constexpr char separator = '\x1f';

class Packer {
 public:
  Packer& add(const std::string& field) {
    const std::size_t start = text_.size();
    text_ += field;
    std::replace(text_.begin() + static_cast<std::ptrdiff_t>(start), text_.end(), separator, '?');
    text_ += separator;
    return *this;
  }
  Packer& add(const NamedValues& values) {
    add(std::to_string(values.size()));
    for (const auto& [name, value] : values) add(name).add(value);
    return *this;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class Unpacker {
 public:
  explicit Unpacker(const std::string& text) : stream_(text) {}
  std::string field() {
    std::string result;
    std::getline(stream_, result, separator);
    return result;
  }
  int number() { return std::stoi(field()); }
  NamedValues values() {
    NamedValues result(static_cast<std::size_t>(number()));
    for (auto& [name, value] : result) {
      name = field();
      value = field();
    }
    return result;
  }

 private:
  std::istringstream stream_;
};

std::string pack(const RankFacts& facts) {
  Packer packer;
  packer.add(std::to_string(facts.info.rank)).add(std::to_string(facts.info.local_rank)).add(facts.info.host);
  packer.add(std::to_string(facts.info.pid)).add(facts.boot_id).add(facts.versions).add(facts.environment);
  packer.add(facts.info.device ? "1" : "0");
  if (const auto& device = facts.info.device)
    packer.add(std::to_string(device->index))
        .add(device->name)
        .add(device->uuid)
        .add(device->pci)
        .add(std::to_string(device->memory.count));
  return packer.text();
}

RankFacts unpack(const std::string& text) {
  Unpacker unpacker(text);
  RankFacts facts;
  facts.info.rank = unpacker.number();
  facts.info.local_rank = unpacker.number();
  facts.info.host = unpacker.field();
  facts.info.pid = unpacker.number();
  facts.boot_id = unpacker.field();
  facts.versions = unpacker.values();
  facts.environment = unpacker.values();
  if (unpacker.number() == 1) {
    DeviceInfo device;
    device.index = unpacker.number();
    device.name = unpacker.field();
    device.uuid = unpacker.field();
    device.pci = unpacker.field();
    device.memory = Bytes{std::stoull(unpacker.field())};
    facts.info.device = device;
  }
  return facts;
}

/// Whether ranks with different values of this variable can surprise: libraries read it, and launchers don't set it per
/// rank.
bool must_be_equal(const std::string& name) {
  if (name == "NCCL_HOSTID" || name == "NCCL_DEBUG_FILE") return false;
  return name.rfind("NCCL_", 0) == 0 || name.rfind("UCX_", 0) == 0 || name == "LD_LIBRARY_PATH" ||
         name == "CUDA_DEVICE_ORDER";
}

std::map<std::string, std::string> comparable(const RankFacts& facts) {
  std::map<std::string, std::string> values(facts.versions.begin(), facts.versions.end());
  for (const auto& [name, value] : facts.environment)
    if (must_be_equal(name)) values[name] = value;
  return values;
}

}  // namespace

std::vector<RankFacts> gather_facts(Session& session, const RankFacts& mine) {
  std::vector<RankFacts> ranks;
  for (const std::string& text : session.all_gather(pack(mine))) ranks.push_back(unpack(text));
  return ranks;
}

std::vector<std::string> find_differences(const std::vector<RankFacts>& ranks) {
  std::vector<std::string> differences;
  std::map<std::string, bool> told;
  const auto first = comparable(ranks.front());
  const auto shown = [](const std::map<std::string, std::string>& values, const std::string& name) {
    const auto found = values.find(name);
    return found == values.end() ? std::string("not set") : fmt::format("'{}'", found->second);
  };
  for (const RankFacts& rank : ranks) {
    const auto own = comparable(rank);
    auto names = own;
    names.insert(first.begin(), first.end());
    for (const auto& entry : names) {
      const std::string& name = entry.first;
      if (shown(first, name) == shown(own, name) || told[name]) continue;
      told[name] = true;
      differences.push_back(fmt::format("{} differs: {} on rank 0 ({}), {} on rank {} ({})", name, shown(first, name),
                                        ranks.front().info.host, shown(own, name), rank.info.rank, rank.info.host));
    }
  }
  std::map<std::string, const RankFacts*> by_name;
  for (const RankFacts& rank : ranks) {
    const auto [entry, added] = by_name.emplace(rank.info.host, &rank);
    if (added || entry->second->boot_id == rank.boot_id || told[rank.info.host]) continue;
    told[rank.info.host] = true;
    differences.push_back(fmt::format("two machines are called {}: ranks {} and {} have different boot ids",
                                      rank.info.host, entry->second->info.rank, rank.info.rank));
  }
  return differences;
}

void refuse_shared_gpus(const std::vector<RankFacts>& ranks) {
  std::map<std::string, const RankFacts*> owners;
  for (const RankFacts& rank : ranks) {
    if (!rank.info.device) continue;
    const auto [owner, added] = owners.emplace(rank.info.device->uuid, &rank);
    if (added) continue;
    const auto on_host = std::count_if(ranks.begin(), ranks.end(),
                                       [&](const RankFacts& other) { return other.info.host == rank.info.host; });
    throw UsageError(fmt::format(
        "ranks {} and {} on {} hold one GPU ({}, {}): {} ranks run on that host; start fewer ranks, or let each see "
        "another GPU (CUDA_VISIBLE_DEVICES, Slurm's --gpus-per-task), or give --share-gpu when it is meant",
        owner->second->info.rank, rank.info.rank, rank.info.host, rank.info.device->name, rank.info.device->pci,
        on_host));
  }
}

}  // namespace shakedown
