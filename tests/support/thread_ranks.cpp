// SPDX-License-Identifier: Apache-2.0
#include "support/thread_ranks.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <thread>

namespace shakedown {

/// A control plane over the slots of one process.
class FakeSession final : public Session {
 public:
  FakeSession(FakeWorld& world, int rank) : world_(world), rank_(rank) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return world_.size_; }
  [[nodiscard]] int local_rank() const override { return rank_; }
  [[nodiscard]] int local_size() const override { return world_.size_; }
  void barrier() override { world_.gate_.arrive_and_wait(); }
  std::string broadcast(const std::string& text) override { return all_gather(text).front(); }

  std::vector<std::string> all_gather(const std::string& text) override {
    world_.slots_[static_cast<std::size_t>(rank_)] = text;
    barrier();
    std::vector<std::string> all = world_.slots_;
    barrier();
    return all;
  }

  std::vector<double> all_gather(std::span<const double> values) override {
    std::string bytes(values.size_bytes(), '\0');
    std::memcpy(bytes.data(), values.data(), values.size_bytes());
    std::vector<double> result;
    for (const std::string& part : all_gather(bytes)) {
      std::vector<double> numbers(part.size() / sizeof(double));
      std::memcpy(numbers.data(), part.data(), part.size());
      result.insert(result.end(), numbers.begin(), numbers.end());
    }
    return result;
  }

  std::vector<double> max(std::span<const double> values) override {
    const std::vector<double> all = all_gather(values);
    std::vector<double> result(values.begin(), values.end());
    for (std::size_t i = 0; i < all.size(); ++i)
      result[i % values.size()] = std::max(result[i % values.size()], all[i]);
    return result;
  }

  bool any(bool mine) override {
    const double value = mine ? 1 : 0;
    return max(std::span(&value, 1))[0] > 0;
  }
  void close() override { barrier(); }
  [[noreturn]] void abort(ExitCode) override { throw std::logic_error("a fake world can't be aborted"); }

 private:
  FakeWorld& world_;
  int rank_;
};

/// Sums of float32 over the threads.
class FakeCommunicator final : public Communicator {
 public:
  FakeCommunicator(FakeWorld& world, int rank) : world_(world), rank_(rank) {}
  [[nodiscard]] bool supports(DataType type) const override { return type == DataType::float32; }

  void enqueue(const CollectiveCall& call, const void* send, void* receive) override {
    world_.sends_[static_cast<std::size_t>(rank_)] = static_cast<const float*>(send);
    world_.gate_.arrive_and_wait();
    std::vector<float> sum(call.count, 0.0f);
    for (const float* part : world_.sends_)
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
    world_.gate_.arrive_and_wait();
    std::copy(sum.begin(), sum.end(), static_cast<float*>(receive));
    if (world_.spoil) world_.spoil(rank_, static_cast<float*>(receive), sum.size());
  }
  void poll() override {}
  void wait() override {}
  void abort() noexcept override { ++world_.aborts_; }
  void close() override {}

 private:
  FakeWorld& world_;
  int rank_;
};

FakeWorld::FakeWorld(int size)
    : size_(size), gate_(size), slots_(static_cast<std::size_t>(size)), sends_(static_cast<std::size_t>(size)) {}

void FakeWorld::run(const std::function<void(Session&, Communicator&)>& body) {
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(size_));
  {
    std::vector<std::thread> threads;
    for (int rank = 0; rank < size_; ++rank) {
      threads.emplace_back([&, rank] {
        FakeSession session(*this, rank);
        FakeCommunicator communicator(*this, rank);
        try {
          body(session, communicator);
        } catch (...) {
          failures[static_cast<std::size_t>(rank)] = std::current_exception();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace shakedown
