// SPDX-License-Identifier: MIT
// Quantiles of a histogram against a sorted list.
#include "engine/loop/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

namespace rodeo::engine {
namespace {

constexpr double kWidth = 0.01;  // what histogram.h promises

TEST(Histogram, OfNothingIsZero) {
  const auto histogram = std::make_unique<Histogram>();
  EXPECT_EQ(histogram->count(), 0U);
  EXPECT_EQ(histogram->max(), 0);
  EXPECT_EQ(histogram->calc_quantile(0.99), 0);
}

TEST(Histogram, QuantilesAreThoseOfTheSortedValuesWithinABucket) {
  std::mt19937_64 random(5);
  for (const int bits : {6, 9, 20, 39}) {
    const auto histogram = std::make_unique<Histogram>();
    std::vector<std::int64_t> values;
    for (int i = 0; i < 20000; ++i) {
      values.push_back(
          static_cast<std::int64_t>(random() >> (64 - 1 - random() % static_cast<unsigned>(bits))));
      histogram->add(values.back());
    }
    std::sort(values.begin(), values.end());
    EXPECT_EQ(histogram->count(), values.size());
    EXPECT_EQ(histogram->max(), values.back());
    for (const double part : {0.0, 0.5, 0.9, 0.99, 0.999, 0.9999, 1.0}) {
      const double rank = std::max(1.0, std::ceil(part * static_cast<double>(values.size())));
      const auto exact = static_cast<double>(values[static_cast<std::size_t>(rank) - 1]);
      const auto got = static_cast<double>(histogram->calc_quantile(part));
      EXPECT_GE(got, exact) << part << " of " << bits << " bits";
      EXPECT_LE(got, exact * (1 + kWidth)) << part << " of " << bits << " bits";
    }
  }
}

TEST(Histogram, CountsWhatIsOutOfItsRangeAtItsEnds) {
  const auto histogram = std::make_unique<Histogram>();
  histogram->add(-5);
  EXPECT_EQ(histogram->calc_quantile(1), 0);
  histogram->add(std::int64_t{1} << 62);
  EXPECT_EQ(histogram->count(), 2U);
  EXPECT_EQ(histogram->max(), (std::int64_t{1} << 40) - 1);
  EXPECT_EQ(histogram->calc_quantile(1), histogram->max());
}

TEST(Histogram, EveryValueUpToTheTopHasABucketNoNarrowerThanItself) {
  for (std::int64_t value = 1; value < (std::int64_t{1} << 40); value += 1 + value / 5) {
    const auto histogram = std::make_unique<Histogram>();
    histogram->add(value);
    histogram->add((std::int64_t{1} << 40) - 1);
    const std::int64_t got = histogram->calc_quantile(0.5);
    ASSERT_GE(got, value);
    ASSERT_LE(static_cast<double>(got - value), kWidth * static_cast<double>(value));
  }
}

}  // namespace
}  // namespace rodeo::engine
