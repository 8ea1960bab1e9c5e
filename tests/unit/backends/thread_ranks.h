// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "shakedown/comm/session.h"

namespace shakedown::testing {

/// Where the threads that stand for ranks leave their texts for each other.
class Exchange {
 public:
  explicit Exchange(int ranks) : texts_(static_cast<std::size_t>(ranks)) {}

  std::vector<std::string> all_gather(int rank, const std::string& text) {
    std::unique_lock lock(mutex_);
    texts_[static_cast<std::size_t>(rank)] = text;
    const int round = round_;
    if (++arrived_ == static_cast<int>(texts_.size())) {
      result_ = texts_;
      arrived_ = 0;
      ++round_;
      all_there_.notify_all();
    }
    all_there_.wait(lock, [&] { return round_ != round; });
    return result_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable all_there_;
  std::vector<std::string> texts_;
  std::vector<std::string> result_;
  int arrived_{};
  int round_{};
};

/// One thread as a rank, as far as texts go.
class ThreadSession final : public Session {
 public:
  ThreadSession(Exchange& exchange, int rank, int size) : exchange_(exchange), rank_(rank), size_(size) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] int local_rank() const override { return rank_; }
  [[nodiscard]] int local_size() const override { return size_; }
  void barrier() override { exchange_.all_gather(rank_, {}); }
  std::string broadcast(const std::string& text) override { return exchange_.all_gather(rank_, text)[0]; }
  std::vector<std::string> all_gather(const std::string& text) override { return exchange_.all_gather(rank_, text); }
  std::vector<double> all_gather(std::span<const double> /*unused*/) override { std::abort(); }
  std::vector<double> max(std::span<const double> /*unused*/) override { std::abort(); }
  bool any(bool /*unused*/) override { std::abort(); }
  void close() override {}
  [[noreturn]] void abort(ExitCode code) override { std::_Exit(static_cast<int>(code)); }

 private:
  Exchange& exchange_;
  int rank_;
  int size_;
};

/// Runs `body` on every rank, each a thread.
inline void run_ranks(int ranks, const std::function<void(Session&)>& body) {
  Exchange exchange(ranks);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadSession session(exchange, rank, ranks);
      body(session);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace shakedown::testing
