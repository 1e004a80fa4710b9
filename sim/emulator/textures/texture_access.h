// Shared by texture and surface instructions: their shapes, their operands, and the object that a lane names.
#pragma once

#include <cstdint>
#include <string_view>

#include "emulator/execution/warp_context.h"
#include "emulator/operations/operation_builder.h"
#include "emulator/textures/texture_sampling.h"

namespace warpsim {

// The word of an instruction that names the shape of the accessed object.
struct TextureShape {
  enum class Kind : std::uint8_t { k1d, k2d, k3d, kArray1d, kArray2d, kCube, kCubeArray };
  Kind kind = Kind::k1d;
  std::uint32_t dimensions = 1;  // coordinates without the layer
  bool layered = false;          // the layer comes first
  bool of_cube() const { return kind == Kind::kCube || kind == Kind::kCubeArray; }
};
TextureShape texture_shape(std::uint8_t kind);

// Reads the shape's word into operation.variant and returns it. Fails if there is none.
TextureShape take_texture_shape(OperationBuilder& builder);
// [object, {coordinates}]: the object into operation.a, the coordinates' places into the function's lists. Returns the
// first. Coordinates beyond the shape's only fill the vector.
std::uint32_t bind_texture_operand(OperationBuilder& builder, const ptx::Operand& operand, const TextureShape& shape,
                                   ptx::DataType coordinates);

// Finds the images of the objects that lanes name: one look-up for lanes with the same object.
class TexelImages {
 public:
  // `footprint`: for images without texels; null: they have them.
  TexelImages(const WarpContext& warp, const Operation& operation, TexelFootprint* footprint = nullptr)
      : warp_(warp), operation_(operation), footprint_(footprint) {}
  // Throws KernelFault: there is no such object, or its texels were freed.
  const TexelImage& of(std::uint32_t lane);

 private:
  const WarpContext& warp_;
  const Operation& operation_;
  TexelFootprint* footprint_;
  std::uint64_t object_ = 0;
  TexelImage image_;
};

// Faults unless the texture can be accessed as the instruction states.
void check_shape(const WarpContext& warp, const Operation& operation, std::uint32_t lane, const TextureShape& shape,
                 const TextureDescription& texture);

// The texels that an operation whose addresses are texels will access (AddressForm). Faults as its execution does.
void find_texels(const WarpContext& warp, const Operation& operation, LaneMask lanes, TexelFootprint& footprint);
void find_fetched_texels(const WarpContext& warp, const Operation& operation, LaneMask lanes,
                         TexelFootprint& footprint);
void find_surface_texels(const WarpContext& warp, const Operation& operation, LaneMask lanes,
                         TexelFootprint& footprint);

// txq and suq.
void bind_texture_query(OperationBuilder& builder);

// The operations of machine code on textures (sass.tex, sass.tld4), if `name` is one.
bool bind_machine_texture(OperationBuilder& builder, std::string_view name);

}  // namespace warpsim
