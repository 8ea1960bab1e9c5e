// SPDX-License-Identifier: Apache-2.0
#include "backends/host_matrix/host_product.h"

namespace shakedown {

void HostPrepared::set_places(std::vector<OperandPointers> places) {
  places_ = std::move(places);
  product_->set_places(places_);
}

const OperandPointers& HostPrepared::multiply_next() {
  const std::size_t place = next_;
  next_ = next_ + 1 == places_.size() ? 0 : next_ + 1;
  product_->multiply(place);
  return places_[place];
}

}  // namespace shakedown
