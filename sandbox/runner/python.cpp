#include "sandbox/runner/python.h"

// The stable ABI: one build serves every CPython from 3.8 on.
#define Py_LIMITED_API 0x03080000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <algorithm>
#include <cstring>

#include "sandbox/program.h"

namespace fbt::sandbox::runner {
namespace {

constexpr const char* kFileName = "<program>";

PyObject* g_compile = nullptr;
PyObject* g_reseed = nullptr;
PyObject* g_stdout = nullptr;
PyObject* g_stderr = nullptr;

// str(object) on one line; empty where that fails. Runs the program's code if
// the object is of its making.
std::string text_of(PyObject* object) {
  std::string text;
  PyObject* str = object == nullptr ? nullptr : PyObject_Str(object);
  PyObject* bytes =
      str == nullptr ? nullptr : PyUnicode_AsEncodedString(str, "utf-8", "backslashreplace");
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (bytes != nullptr && PyBytes_AsStringAndSize(bytes, &data, &size) == 0) {
    text.assign(data, static_cast<std::size_t>(std::min<Py_ssize_t>(size, 600)));
  }
  Py_XDECREF(bytes);
  Py_XDECREF(str);
  PyErr_Clear();
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\0'; }, ' ');
  return text;
}

std::string attribute_text(PyObject* object, const char* name) {
  PyObject* value = object == nullptr ? nullptr : PyObject_GetAttrString(object, name);
  std::string text = text_of(value);
  Py_XDECREF(value);
  return text;
}

long attribute_number(PyObject* object, const char* name) {
  PyObject* value = PyObject_GetAttrString(object, name);
  const long number = value == nullptr ? 0 : PyLong_AsLong(value);
  Py_XDECREF(value);
  PyErr_Clear();
  return number;
}

// The line of the program, from 1, where the innermost of its frames was; 0 if none.
long raised_at(PyObject* traceback) {
  long line = 0;
  Py_XINCREF(traceback);
  while (traceback != nullptr && traceback != Py_None) {
    PyObject* frame = PyObject_GetAttrString(traceback, "tb_frame");
    PyObject* code = frame == nullptr ? nullptr : PyObject_GetAttrString(frame, "f_code");
    if (attribute_text(code, "co_filename") == kFileName) {
      line = attribute_number(traceback, "tb_lineno");
    }
    Py_XDECREF(code);
    Py_XDECREF(frame);
    PyObject* next = PyObject_GetAttrString(traceback, "tb_next");
    Py_DECREF(traceback);
    traceback = next;
  }
  Py_XDECREF(traceback);
  PyErr_Clear();
  return line;
}

std::string source_line(std::string_view source, long line) {
  for (; line > 1 && !source.empty(); --line) {
    source.remove_prefix(std::min(source.find('\n'), source.size() - 1) + 1);
  }
  source = source.substr(0, std::min<std::size_t>(source.find_first_of("\r\n"), 300));
  source.remove_prefix(std::min(source.find_first_not_of(" \t"), source.size()));
  return std::string(source);
}

void note_detail(ProgramReport& report, const std::string& text) {
  const std::size_t size = std::min(text.size(), sizeof report.detail - 1);
  std::memcpy(report.detail, text.data(), size);
  report.detail[size] = '\0';
}

// Describes the pending exception. What it is goes first: wording it may run
// code of the program's, which may never return.
void note_exception(ProgramReport& report, std::string_view source, VerdictKind otherwise) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  const bool memory = PyErr_GivenExceptionMatches(type, PyExc_MemoryError) != 0;
  const bool recursion = PyErr_GivenExceptionMatches(type, PyExc_RecursionError) != 0;
  const VerdictKind kind = memory      ? VerdictKind::kMemory
                           : recursion ? VerdictKind::kFailed
                                       : otherwise;
  report.exception_kind = static_cast<std::int32_t>(kind);
  report.stage = Stage::kRaised;

  std::string text = attribute_text(type, "__name__");
  note_detail(report, text);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (const std::string message = text_of(value); !message.empty()) text += ": " + message;
  note_detail(report, text);
  if (const long line = raised_at(traceback); line > 0) {
    text += " (line " + std::to_string(line) + ": " + source_line(source, line) + ")";
    note_detail(report, text);
  }
}

void flush(PyObject* stream) {
  PyObject* result = stream == nullptr ? nullptr : PyObject_CallMethod(stream, "flush", nullptr);
  Py_XDECREF(result);
  PyErr_Clear();
}

// What the program printed before it ended, in whichever way.
void flush_output() {
  flush(g_stdout);
  flush(g_stderr);
}

}  // namespace

std::string python_version() {
  const std::string version = Py_GetVersion();
  return version.substr(0, version.find(' '));
}

bool prepare_python(void* reseed) {
  g_reseed = static_cast<PyObject*>(reseed);
  Py_INCREF(g_reseed);
  PyObject* builtins = PyImport_ImportModule("builtins");
  if (builtins == nullptr) return false;
  g_compile = PyObject_GetAttrString(builtins, "compile");
  Py_DECREF(builtins);
  g_stdout = PySys_GetObject("stdout");
  g_stderr = PySys_GetObject("stderr");
  Py_XINCREF(g_stdout);
  Py_XINCREF(g_stderr);
  return g_compile != nullptr;
}

bool run_python(std::string_view source, ProgramReport& report) {
  Py_XDECREF(PyObject_CallObject(g_reseed, nullptr));
  report.stage = Stage::kCompiling;
  PyObject* text =
      PyUnicode_DecodeUTF8(source.data(), static_cast<Py_ssize_t>(source.size()), "strict");
  PyObject* code = text == nullptr ? nullptr
                                   : PyObject_CallFunction(g_compile, "Ossii", text, kFileName,
                                                           "exec", /*flags=*/0, /*dont_inherit=*/1);
  PyObject* globals = PyDict_New();
  if (code == nullptr || globals == nullptr ||
      PyDict_SetItemString(globals, "__builtins__", PyEval_GetBuiltins()) != 0) {
    note_exception(report, source, VerdictKind::kSyntaxError);
    flush_output();
    return false;
  }
  Py_DECREF(text);
  report.stage = Stage::kRunning;
  PyObject* result = PyEval_EvalCode(code, globals, globals);
  if (result == nullptr) {
    note_exception(report, source, VerdictKind::kFailed);
    flush_output();
    return false;
  }
  flush_output();
  return true;
}

}  // namespace fbt::sandbox::runner
