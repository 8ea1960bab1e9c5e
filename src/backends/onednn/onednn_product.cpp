// SPDX-License-Identifier: Apache-2.0
#include "backends/onednn/onednn_product.h"

#include <fmt/format.h>

#include "shakedown/base/error.h"

namespace shakedown {
namespace {

OperandOrder operand_order(const dnnl::memory::desc& matrix, std::uint64_t elements, DataType type) {
  return {.bytes = matrix.get_size(), .is_padded = matrix.get_size() != elements * size_of(type)};
}

}  // namespace

dnnl::memory::data_type onednn_type(DataType type) {
  using Type = dnnl::memory::data_type;
  switch (type) {
    case DataType::float32:
      return Type::f32;
    case DataType::bfloat16:
      return Type::bf16;
    case DataType::float16:
      return Type::f16;
    case DataType::int8:
      return Type::s8;
    case DataType::uint8:
      return Type::u8;
    case DataType::int32:
      return Type::s32;
    default:
      return Type::undef;
  }
}

dnnl::matmul::primitive_desc describe_product(const dnnl::engine& engine, const HostTypes& types,
                                              const GemmShape& shape) {
  const auto matrix = [](std::uint64_t rows, std::uint64_t columns, DataType type) {
    return dnnl::memory::desc({static_cast<dnnl_dim_t>(rows), static_cast<dnnl_dim_t>(columns)}, onednn_type(type),
                              dnnl::memory::format_tag::any);
  };
  return describe_product(engine, matrix(shape.m, shape.k, types.a), matrix(shape.k, shape.n, types.b),
                          matrix(shape.m, shape.n, types.d));
}

OneDnnProduct::OneDnnProduct(const dnnl::engine& engine, const dnnl::stream& stream, const HostTypes& types,
                             const GemmShape& shape)
    : shape_(shape),
      types_(types),
      engine_(engine),
      stream_(stream),
      description_(describe_product(engine, types, shape)),
      primitive_(description_),
      a_(order_of(description_.src_desc())),
      b_(order_of(description_.weights_desc())),
      d_(order_of(description_.dst_desc())),
      algorithm_(description_.impl_info_str()) {}

OperandOrder OneDnnProduct::a_order() const {
  return operand_order(description_.src_desc(), shape_.m * shape_.k, types_.a);
}

OperandOrder OneDnnProduct::b_order() const {
  return operand_order(description_.weights_desc(), shape_.k * shape_.n, types_.b);
}

void OneDnnProduct::set_places(const std::vector<OperandPointers>& places) {
  arguments_.clear();
  arguments_.reserve(places.size());
  // A dnnl::memory zeroes the padding of a buffer that it is given; that is documented.
  for (const OperandPointers& place : places) {
    arguments_.push_back({{DNNL_ARG_SRC, dnnl::memory(description_.src_desc(), engine_, place.a)},
                          {DNNL_ARG_WEIGHTS, dnnl::memory(description_.weights_desc(), engine_, place.b)},
                          {DNNL_ARG_DST, dnnl::memory(description_.dst_desc(), engine_, place.d)}});
  }
}

void OneDnnProduct::multiply(std::size_t place) {
  try {
    primitive_.execute(stream_, arguments_[place]);
    stream_.wait();
  } catch (const dnnl::error& error) {
    throw Error(fmt::format("multiply {} with {}: oneDNN says \"{}\"", format_shape(shape_), algorithm_, error.what()));
  }
}

}  // namespace shakedown
