#pragma once

// Short texts that can only be continued rightly by someone who keeps a state:
// a counter, a register file with overwrites, a value to be recalled later.

#include <string>

#include "tasks/synthetic/draw.h"

namespace fbt::synthetic {

// "Counter: 5. Add 3. Take 2. Add 4. The counter is 10."
std::string draw_counter(Draw& draw);

// "Registers: a = 4, b = 9, a = 2, c = 7. Now a is 2, b is 9 and c is 7."
std::string draw_registers(Draw& draw);

// "Remember lamp 7, bread 3, stone 9. … Recall bread: 3, stone: 9, lamp: 7."
std::string draw_recall(Draw& draw);

// One of them.
std::string draw_state_tracking(Draw& draw);

}  // namespace fbt::synthetic
