#pragma once

// The evaluator behind numeric.h, shared by the files that implement it: numeric.cpp
// (arithmetic and powers), numeric_function.cpp and numeric_calculus.cpp (unknown
// functions, sums, limits, integrals).

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scorers/math/numeric.h"

namespace fbt::scorers::math {

class NumericEvaluator {
 public:
  NumericEvaluator(Bindings bindings, const NumericOptions& options, Budget& budget)
      : bindings_(std::move(bindings)), options_(options), budget_(budget) {}

  MaybeApproximate operator()(const Node& node) {
    // A step is about a microsecond at the usual precision.
    if (!budget_.spend(1 + options_.precision / 512)) {
      unknown_ = true;
      return std::nullopt;
    }
    MaybeApproximate value = evaluate(node);
    if (value && !value->finite()) {
      too_large_ = true;
      return std::nullopt;
    }
    return value;
  }
  NumericResult result(const Node& node);

 private:
  Approximate rational(const mpq_class& value) const;
  MaybeApproximate unknown();
  MaybeApproximate evaluate(const Node& node);
  MaybeApproximate constant(const std::string& name);
  MaybeApproximate exactly(const Node& node);
  MaybeApproximate arithmetic(const Node& node);
  MaybeApproximate degree(const Node& node);
  // The exponent as a rational constant, where it is one.
  std::optional<mpq_class> rational_exponent(const Node& node);
  // The value as an integer where it is one to within its error (a variable bound to
  // an integer, say).
  static std::optional<long> near_integer(const Approximate& value);
  MaybeApproximate power_of(const Node& node);
  MaybeApproximate check_size(MaybeApproximate value);
  // a^(p/q): the real root for negative a and odd q.
  MaybeApproximate rational_root(const Approximate& base, const mpq_class& exponent);

  // ---- functions ----
  MaybeApproximate function(const Node& node);
  MaybeApproximate of_arguments(const Node& node);
  MaybeApproximate common_logarithm(const Approximate& value);
  MaybeApproximate quotient(const MaybeApproximate& a, const MaybeApproximate& b);
  MaybeApproximate reciprocal(const MaybeApproximate& a);
  MaybeApproximate trigonometric(const std::string& name, const Approximate& x);
  // π/2 - a
  MaybeApproximate complement(const MaybeApproximate& a);
  MaybeApproximate hyperbolic(const std::string& name, const Approximate& x);

  // ---- functions of integers ----
  MaybeApproximate integer_function(const Node& node);
  std::optional<mpq_class> exact_function(const std::string& name,
                                          const std::vector<mpq_class>& arguments);
  static MaybeApproximate log_binomial(const Approximate& n, const Approximate& k);
  MaybeApproximate rounded(const Approximate& value, bool down);
  MaybeApproximate extreme(const std::vector<Approximate>& values, bool largest);
  MaybeApproximate determinant(const Node& node);
  // Expansion along the first row.
  Approximate laplace(const std::vector<Approximate>& cells, std::size_t size);

  // ---- unknown functions and big operators ----
  // f(x, …) = cos(c0 + Σ c_i x_i) + Σ c_i x_i, the c's drawn from the name.
  MaybeApproximate apply(const Node& node);
  MaybeApproximate big_operator(const Node& node);
  // An infinite sum whose terms fall at least as fast as a geometric one.
  MaybeApproximate series(const Node& node, const Approximate& from);
  // The body with the running variable bound to `value`.
  MaybeApproximate at(const Node& node, const Approximate& value);
  // Values ever closer to the target, from above; the error is what the last step
  // changed.
  MaybeApproximate limit(const Node& node);
  // Gauss-Legendre with five nodes on equal panels, doubled; the error is what the
  // doubling changed.
  MaybeApproximate integral(const Node& node);
  MaybeApproximate panels(const Node& node, const Approximate& from, const Approximate& to,
                          long count);
  Bindings bindings_;
  const NumericOptions options_;
  Budget& budget_;
  int function_depth_ = 0;
  bool unknown_ = false;
  bool too_large_ = false;
};

}  // namespace fbt::scorers::math
