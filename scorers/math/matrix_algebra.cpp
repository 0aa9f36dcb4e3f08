#include "scorers/math/matrix_algebra.h"

#include "scorers/math/exact.h"

namespace fbt::scorers::math {

namespace {

constexpr std::size_t kMaxCells = 400;  // products of cells in one product of matrices
constexpr long kMaxPower = 10;
constexpr std::size_t kMaxNodes = 5000;  // of a result, shared parts counted each time

std::size_t count_nodes(const Node& node) {
  std::size_t count = 0;
  any_node(node, [&](const Node&) { return ++count > kMaxNodes; });
  return count;
}

class MatrixEvaluator {
 public:
  MatrixEvaluator(Arena& arena, Budget& budget) : arena_(arena), budget_(budget) {}

  const Node& operator()(const Node& node) {
    if (!budget_.spend()) return node;
    switch (node.kind) {
      case Kind::kNegate: {
        const Node& matrix = (*this)(node.child(0));
        return matrix.is(Kind::kMatrix) ? scaled(matrix, arena_.number(-1)) : node;
      }
      case Kind::kPower:
        return power(node);
      case Kind::kAdd:
      case Kind::kSubtract:
      case Kind::kMultiply:
      case Kind::kDivide:
        return combined(node);
      default:
        return node;
    }
  }

 private:
  static std::size_t rows(const Node& matrix) { return static_cast<std::size_t>(matrix.rows); }
  static std::size_t columns(const Node& matrix) { return matrix.children.size() / rows(matrix); }
  static const Node* cell(const Node& matrix, std::size_t row, std::size_t column) {
    return matrix.children[row * columns(matrix) + column];
  }

  Node& empty(std::size_t rows) {
    Node& matrix = arena_.make(Kind::kMatrix);
    matrix.rows = static_cast<int>(rows);
    return matrix;
  }

  const Node* times(const Node* a, const Node* b) { return &arena_.make(Kind::kMultiply, {a, b}); }

  const Node& combined(const Node& node) {
    const Node& left = (*this)(node.child(0));
    const Node& right = (*this)(node.child(1));
    const bool matrix_left = left.is(Kind::kMatrix);
    const bool matrix_right = right.is(Kind::kMatrix);
    if (matrix_left && matrix_right) {
      if (node.is(Kind::kMultiply)) {
        const Node* matrix = product(left, right);
        return matrix == nullptr ? node : *matrix;
      }
      if (node.is(Kind::kDivide)) return node;
      return cell_by_cell(node, left, right);
    }
    if (node.is(Kind::kMultiply) && (matrix_left || matrix_right)) {
      return matrix_left ? scaled(left, right) : scaled(right, left);
    }
    if (node.is(Kind::kDivide) && matrix_left) {
      return scaled(left, arena_.make(Kind::kDivide, {&arena_.number(1), &right}));
    }
    return node;
  }

  const Node& cell_by_cell(const Node& node, const Node& left, const Node& right) {
    if (left.rows != right.rows || left.children.size() != right.children.size()) return node;
    Node& result = empty(rows(left));
    for (std::size_t i = 0; i < left.children.size(); ++i) {
      result.children.push_back(&arena_.make(node.kind, {left.children[i], right.children[i]}));
    }
    return result;
  }

  const Node& scaled(const Node& matrix, const Node& factor) {
    Node& result = empty(rows(matrix));
    for (const Node* child : matrix.children) result.children.push_back(times(&factor, child));
    return result;
  }

  // nullptr where the shapes do not fit or it is too much work.
  const Node* product(const Node& left, const Node& right) {
    const std::size_t inner = columns(left);
    const std::size_t cells = rows(left) * columns(right);
    const auto work = static_cast<long>(cells * inner);
    if (inner != rows(right) || cells * inner > kMaxCells || !budget_.spend(work)) {
      return nullptr;
    }
    // Every cell goes into as many cells of the result as the other side has.
    std::size_t nodes = 0;
    for (const Node* child : left.children) nodes += count_nodes(*child) * columns(right);
    for (const Node* child : right.children) nodes += count_nodes(*child) * rows(left);
    if (nodes > kMaxNodes) return nullptr;
    Node& result = empty(rows(left));
    for (std::size_t i = 0; i < rows(left); ++i) {
      for (std::size_t j = 0; j < columns(right); ++j) {
        const Node* sum = times(cell(left, i, 0), cell(right, 0, j));
        for (std::size_t k = 1; k < inner; ++k) {
          sum = &arena_.make(Kind::kAdd, {sum, times(cell(left, i, k), cell(right, k, j))});
        }
        result.children.push_back(simplified(sum));
      }
    }
    return &result;
  }

  // Numbers stay small, so that powers do not grow into trees.
  const Node* simplified(const Node* node) {
    const auto value = evaluate_exactly(*node, {}, budget_);
    return value ? &arena_.number(*value) : node;
  }

  const Node& power(const Node& node) {
    const Node& matrix = (*this)(node.child(0));
    if (!matrix.is(Kind::kMatrix)) return node;
    const Node& exponent = node.child(1);
    if (exponent.is(Kind::kVariable)) {
      const bool transposes = exponent.text == "T" || exponent.text == "t" ||
                              exponent.text == "\\top" || exponent.text == "\\intercal";
      return transposes ? transposed(matrix) : node;
    }
    const auto n = small_integer(exponent, budget_);
    if (!n || rows(matrix) != columns(matrix)) return node;
    if (*n == -1) {
      const Node* inverted = inverse(matrix);
      return inverted == nullptr ? node : *inverted;
    }
    if (*n < 1 || *n > kMaxPower) return node;
    const Node* result = &matrix;
    for (long i = 1; i < *n; ++i) {
      result = product(*result, matrix);
      if (result == nullptr) return node;
    }
    return *result;
  }

  const Node& transposed(const Node& matrix) {
    Node& result = empty(columns(matrix));
    for (std::size_t j = 0; j < columns(matrix); ++j) {
      for (std::size_t i = 0; i < rows(matrix); ++i) result.children.push_back(cell(matrix, i, j));
    }
    return result;
  }

  // By cofactors: entry (i, j) is that of (j, i), over the determinant. nullptr for
  // other sizes.
  const Node* inverse(const Node& matrix) {
    const std::size_t size = rows(matrix);
    if (size < 2 || size > 3) return nullptr;
    // Each of the cells holds the determinant and a minor.
    std::size_t nodes = 0;
    for (const Node* child : matrix.children) nodes += count_nodes(*child) * 2 * size * size;
    if (nodes > kMaxNodes) return nullptr;
    const Node& determinant = arena_.make(Kind::kFunction, {&matrix}, "det");
    Node& result = empty(size);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        Node& minor = empty(size - 1);
        for (std::size_t row = 0; row < size; ++row) {
          for (std::size_t column = 0; column < size; ++column) {
            if (row != j && column != i) minor.children.push_back(cell(matrix, row, column));
          }
        }
        const Node* cofactor = &arena_.make(Kind::kFunction, {&minor}, "det");
        if ((i + j) % 2 == 1) cofactor = &arena_.make(Kind::kNegate, {cofactor});
        result.children.push_back(&arena_.make(Kind::kDivide, {cofactor, &determinant}));
      }
    }
    return &result;
  }

  Arena& arena_;
  Budget& budget_;
};

}  // namespace

const Node& evaluate_matrices(const Node& node, Arena& arena, Budget& budget) {
  return MatrixEvaluator(arena, budget)(node);
}

}  // namespace fbt::scorers::math
