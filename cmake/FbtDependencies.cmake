# Every library the project stands on, in one place. Debian's packages are the
# default (scripts/setup lists them); versions are the oldest tried.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(spdlog 1.9 REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(SQLite3 3.34 REQUIRED)
find_package(TBB REQUIRED)
find_package(OpenSSL 3 REQUIRED COMPONENTS Crypto)
find_package(CURL 7.85 REQUIRED)
find_package(ZLIB REQUIRED)
# Multiprecision; Process, whose headers need the filesystem library.
find_package(Boost 1.74 REQUIRED COMPONENTS filesystem)
find_package(CLI11 2.1 REQUIRED)
pkg_check_modules(GMPXX REQUIRED IMPORTED_TARGET gmpxx)
pkg_check_modules(MPFR REQUIRED IMPORTED_TARGET mpfr)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(ONIG REQUIRED IMPORTED_TARGET oniguruma)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(SECCOMP REQUIRED IMPORTED_TARGET libseccomp)
# Headers of the stable ABI only; the interpreter is chosen when the program runs.
pkg_check_modules(PYTHON REQUIRED python3)

if(FBT_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()
if(FBT_BUILD_BENCH)
  find_package(benchmark REQUIRED)
endif()

if(FBT_WITH_TORCH)
  include(FbtLibTorch)
endif()
