#pragma once

// The queries of one attention call as rows: query heads that read the same keys
// and values, in blocks that share those reads. Compiled once per instruction set;
// see kernels_impl.h, whose rules hold here too.

#include "harness/decode/kernels/kernels.h"

namespace fbt::kernels::FBT_KERNELS_NAMESPACE {
namespace {

struct AttentionRow {
  Index token;  // among the call's queries
  Index head;   // among the group's
  Index low;    // first visible position
  Index high;   // last visible position: the query's own
};

// Calls attend(rows, count) for each block of up to kMost rows, token by token.
template <Index kMost, typename S, typename Attend>
inline void for_each_row_block(const AttentionArgs<S>& args, const Attend& attend) {
  const Index group = args.shape.heads / args.shape.key_value_heads;
  const Index total = args.count * group;
  AttentionRow rows[kMost];
  for (Index done = 0; done < total;) {
    Index filled = 0;
    for (; filled < kMost && done + filled < total; ++filled) {
      const Index token = (done + filled) / group;
      const Index position = args.position + token;
      const Index low = position < args.window ? 0 : position - args.window + 1;
      rows[filled] = {token, (done + filled) % group, low, position};
    }
    attend(rows, filled);
    done += filled;
  }
}

}  // namespace
}  // namespace fbt::kernels::FBT_KERNELS_NAMESPACE
