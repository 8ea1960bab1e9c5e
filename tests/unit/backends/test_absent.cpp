// SPDX-License-Identifier: Apache-2.0
extern "C" int sd_test_absent() { return 1; }
