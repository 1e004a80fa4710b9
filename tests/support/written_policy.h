// A write policy with one answer, which keeps what it hears.
#pragma once

#include <memory>
#include <vector>

#include "support/shared_factory.h"
#include "warpsim/write_policy.h"

namespace warpsim {

struct WrittenPolicyWords {
  mechanism::WriteWay answer = mechanism::WriteWay::kThrough;
  std::vector<mechanism::LineWrite> writes;
  std::vector<std::uint32_t> memos;  // with which the writes came; each write sets 1 more
  std::vector<mechanism::WrittenLine> lines;
  std::vector<mechanism::CacheLevel> caches;
};

class WrittenPolicy final : public mechanism::WritePolicy {
 public:
  WrittenPolicy(WrittenPolicyWords& words, const mechanism::WritePolicySite& site) : words_(&words) {
    words.caches.push_back(site.cache);
  }
  mechanism::WriteWay write(const mechanism::LineWrite& write, std::uint32_t& memo) override {
    words_->writes.push_back(write);
    words_->memos.push_back(memo++);
    return words_->answer;
  }
  void leaves(const mechanism::WrittenLine& line) override { words_->lines.push_back(line); }

 private:
  WrittenPolicyWords* words_;
};

using WrittenPolicyFactory = SharedFactory<WrittenPolicy, WrittenPolicyWords>;

}  // namespace warpsim
