#pragma once

// Where the interpreter's code lies in memory.

namespace fbt::sandbox::runner {

// Moves the code and constants around `code`, as far as they fill huge pages, from
// the file they were mapped from to such pages. A forked process would fault a
// file's pages in again one by one, and unmap them one by one; huge pages it
// inherits as they are. Changes nothing where the kernel has none to give.
// For a process of one thread.
void move_to_huge_pages(const void* code);

}  // namespace fbt::sandbox::runner
