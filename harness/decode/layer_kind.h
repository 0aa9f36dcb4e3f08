#pragma once

// Layers by what they attend to.

namespace fbt {

enum class LayerKind { kFull, kSliding };

}  // namespace fbt
