#pragma once

// What has to be done to a download before it is the file that the tasks read.
//
//   crlf_to_lf       line ends CR LF become LF
//   mmlu_release     CSV with a header and answers 0-3 becomes the release's
//                    form: no header, answers A-D
//   arc_release      the retrieved texts ("para") of the choices go, and the
//                    JSON becomes compact, as released
//   glue_rte         a quoted table with labels 0/1 becomes GLUE's: index, the
//                    sentences unquoted, the labels' names
//   python_examples  the "problem" and "solution" strings of a Python source
//                    become a JSON list
//   yaml_primer      the first quoted string in the doc_to_text of a YAML file

#include <string>
#include <string_view>
#include <vector>

namespace fbt::tasks {

std::vector<std::string> conversion_names();
bool is_conversion(std::string_view name);

// Precondition: is_conversion(conversion). Throws InputError, opening with
// `where`, for a download that does not have the form expected.
std::string convert(std::string_view conversion, const std::string& download,
                    const std::string& where);

}  // namespace fbt::tasks
