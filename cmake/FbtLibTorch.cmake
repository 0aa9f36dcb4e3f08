# LibTorch as the target fbt_torch: Debian's (CPU), or another one whose folder
# (with share/cmake/Torch in it) is in CMAKE_PREFIX_PATH. Its headers are not ours
# to warn about, and its flags (an old -std=, -D_GLIBCXX_USE_CXX11_ABI) belong to
# the targets that include it.
add_library(fbt_torch INTERFACE)

# The folder of a LibTorch built with CUDA. Its package asks for a CUDA toolkit,
# but none of our code is compiled for a GPU: without one, the libraries will do.
set(fbt_cuda_torch)
foreach(prefix ${CMAKE_PREFIX_PATH} $ENV{CMAKE_PREFIX_PATH})
  if(EXISTS ${prefix}/lib/libtorch_cuda.so)
    set(fbt_cuda_torch ${prefix})
    find_package(CUDAToolkit QUIET)
    break()
  endif()
endforeach()

# LibTorch's own headers without the copies of other libraries' (fmt) that some
# builds carry beside them, and that must not come before the system's: a folder
# of links.
function(fbt_link_torch_headers include_folder)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/libtorch_include)
  foreach(folder ATen c10 caffe2 torch)
    file(CREATE_LINK ${include_folder}/${folder} ${CMAKE_BINARY_DIR}/libtorch_include/${folder}
      SYMBOLIC)
  endforeach()
endfunction()

if(fbt_cuda_torch AND NOT CUDAToolkit_FOUND)
  message(STATUS "No CUDA toolkit here: linking with the libraries in ${fbt_cuda_torch}/lib")
  set(TORCH_LIBRARY ${fbt_cuda_torch}/lib/libtorch.so)
  fbt_link_torch_headers(${fbt_cuda_torch}/include)
  target_include_directories(fbt_torch SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/libtorch_include
    ${CMAKE_BINARY_DIR}/libtorch_include/torch/csrc/api/include)
  target_link_libraries(fbt_torch INTERFACE ${TORCH_LIBRARY} ${fbt_cuda_torch}/lib/libtorch_cpu.so
    # Nothing of ours names a symbol of it; it registers itself when it is loaded.
    -Wl,--push-state,--no-as-needed ${fbt_cuda_torch}/lib/libtorch_cuda.so -Wl,--pop-state
    ${fbt_cuda_torch}/lib/libc10_cuda.so ${fbt_cuda_torch}/lib/libc10.so)
else()
  # Spares a search for this machine's GPU, for which we compile nothing.
  if(fbt_cuda_torch AND NOT DEFINED TORCH_CUDA_ARCH_LIST AND NOT DEFINED ENV{TORCH_CUDA_ARCH_LIST})
    set(TORCH_CUDA_ARCH_LIST 9.0)
  endif()
  find_package(Torch REQUIRED)
  target_link_libraries(fbt_torch INTERFACE ${TORCH_LIBRARIES})
  if(TORCH_INSTALL_PREFIX MATCHES "^/usr(/|$)")
    target_include_directories(fbt_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
  else()
    # With only share/cmake in CMAKE_PREFIX_PATH its package finds Debian's libraries first.
    get_filename_component(library_folder ${TORCH_LIBRARY} DIRECTORY)
    if(NOT library_folder STREQUAL "${TORCH_INSTALL_PREFIX}/lib")
      message(FATAL_ERROR "LibTorch's headers are in ${TORCH_INSTALL_PREFIX}, its libraries in "
        "${library_folder}: put ${TORCH_INSTALL_PREFIX} itself into CMAKE_PREFIX_PATH")
    endif()
    fbt_link_torch_headers(${TORCH_INSTALL_PREFIX}/include)
    foreach(target torch torch_library torch_cpu torch_cpu_library torch_cuda torch_cuda_library c10
        c10_cuda)
      if(NOT TARGET ${target})
        continue()
      endif()
      get_target_property(folders ${target} INTERFACE_INCLUDE_DIRECTORIES)
      if(folders)
        string(REPLACE ${TORCH_INSTALL_PREFIX}/include ${CMAKE_BINARY_DIR}/libtorch_include folders
          "${folders}")
        set_target_properties(${target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${folders}")
      endif()
    endforeach()
  endif()
endif()

if(fbt_cuda_torch)
  # What its libraries need of others' (NCCL) they find when they are loaded; at
  # link time the system's copies, of another version, would be found.
  target_link_options(fbt_torch INTERFACE -Wl,--allow-shlib-undefined)
endif()

# LibTorch's at::parallel_for is a template: in code compiled without OpenMP it runs on
# one thread.
find_package(OpenMP COMPONENTS CXX)
if(OpenMP_CXX_FOUND)
  target_link_libraries(fbt_torch INTERFACE OpenMP::OpenMP_CXX)
else()
  message(WARNING "No OpenMP for this compiler: what is done between matrix products will run "
    "on one thread (for Debian's clang: apt-get install libomp-dev)")
endif()

# Products with prepacked weights through oneDNN: only beside a LibTorch that
# itself uses the system's oneDNN (Debian's). Others carry a copy of their own,
# and two in one process do not mix. Debian's package of it stops the configuration
# where OpenCL is not installed.
set(fbt_onednn_default OFF)
find_package(OpenCL QUIET)
if(OpenCL_FOUND)
  find_package(dnnl 2.6 CONFIG QUIET)
  if(dnnl_FOUND AND dnnl_VERSION VERSION_LESS 3 AND TORCH_LIBRARY MATCHES "^/usr/lib/")
    set(fbt_onednn_default ON)
  endif()
endif()
option(FBT_ONEDNN "Use oneDNN directly for products with fixed weights" ${fbt_onednn_default})
