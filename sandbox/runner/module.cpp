// The extension module: serve(paths, reseed) never returns.

#define Py_LIMITED_API 0x03080000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string>
#include <vector>

#include "sandbox/runner/huge_text.h"
#include "sandbox/runner/python.h"
#include "sandbox/runner/supervisor.h"

namespace {

bool g_serving = false;

PyObject* serve(PyObject*, PyObject* arguments) {
  PyObject* paths = nullptr;
  PyObject* reseed = nullptr;
  if (PyArg_ParseTuple(arguments, "OO", &paths, &reseed) == 0) return nullptr;
  // A program may find this function by walking frames; it has no use for it.
  if (g_serving) {
    PyErr_SetString(PyExc_RuntimeError, "already serving");
    return nullptr;
  }
  std::vector<std::string> list;
  for (Py_ssize_t i = 0; i < PyList_Size(paths); ++i) {
    PyObject* bytes = PyUnicode_EncodeFSDefault(PyList_GetItem(paths, i));
    if (bytes == nullptr) return nullptr;
    list.emplace_back(PyBytes_AsString(bytes));
    Py_DECREF(bytes);
  }
  if (PyErr_Occurred() != nullptr || !fbt::sandbox::runner::prepare_python(reseed)) return nullptr;
  g_serving = true;
  fbt::sandbox::runner::move_to_huge_pages(reinterpret_cast<const void*>(&PyEval_EvalCode));
  fbt::sandbox::runner::supervise(list);
}

PyMethodDef g_methods[] = {{"serve", serve, METH_VARARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};

PyModuleDef g_module = {PyModuleDef_HEAD_INIT,
                        "fbt_sandbox_runner",
                        nullptr,
                        -1,
                        g_methods,
                        nullptr,
                        nullptr,
                        nullptr,
                        nullptr};

}  // namespace

PyMODINIT_FUNC PyInit_fbt_sandbox_runner() {
  return PyModule_Create(&g_module);
}
