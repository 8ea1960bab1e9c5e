// SPDX-License-Identifier: Apache-2.0
extern "C" int sd_test_absent();
extern "C" int sd_test_entry() { return sd_test_absent(); }
