// SPDX-License-Identifier: Apache-2.0
#include "backends/blas/openblas_kernels.h"

#include <gtest/gtest.h>

namespace shakedown {
namespace {

CpuFacts processor(const std::string& vendor, bool avx2, bool avx512) {
  CpuFacts cpu;
  cpu.vendor = vendor;
  cpu.avx2 = avx2;
  cpu.avx512 = avx512;
  return cpu;
}

TEST(OpenBlasKernels, OlderThanTheProcessorAreReplaced) {
  EXPECT_EQ(better_core("Prescott", processor("GenuineIntel", true, true)), "SkylakeX");
  EXPECT_EQ(better_core("Prescott", processor("GenuineIntel", true, false)), "Haswell");
  EXPECT_EQ(better_core("Sandybridge", processor("AuthenticAMD", true, false)), "Zen");
}

TEST(OpenBlasKernels, OfItsOwnTimeStay) {
  EXPECT_EQ(better_core("Prescott", processor("GenuineIntel", false, false)), "");
  EXPECT_EQ(better_core("Haswell", processor("GenuineIntel", true, true)), "");
  EXPECT_EQ(better_core("neoversev1", processor("ARM", false, false)), "");
}

TEST(OpenBlasKernels, AreNotOlderThanThisProcessorAfterwards) {
  const CpuFacts cpu = read_cpu_facts();
  const std::string words = mend_kernels(cpu);
  if (words.empty()) GTEST_SKIP() << "OpenBLAS knows this processor, or OPENBLAS_CORETYPE is set";
  EXPECT_NE(words.find("OpenBLAS took this processor for"), std::string::npos) << words;
  EXPECT_EQ(mend_kernels(cpu), "") << "once is enough";
}

}  // namespace
}  // namespace shakedown
