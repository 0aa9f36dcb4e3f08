#include "scorers/math/lexer.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/utf8.h"
#include "scorers/math/transliterate.h"
#include "scorers/math/vocabulary.h"

namespace fbt::scorers::math {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}
std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower(c);
  return result;
}

class Lexer {
 public:
  Lexer(std::string text, const LexerOptions& options)
      : source_(std::move(text)), text_(source_), options_(options) {}

  TokenList run() {
    while (at_ < text_.size()) step();
    drop_dots();
    push(TokenType::kEnd, "");
    return std::move(list_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool next_is(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  bool roman() const { return roman_depth_ > 0; }

  Token& push(TokenType type, std::string text) {
    Token token;
    token.type = type;
    token.text = std::move(text);
    token.space_before = space_;
    token.roman = roman() || roman_once_;
    token.bold = bold_depth_ > 0 || bold_once_;
    space_ = roman_once_ = bold_once_ = false;
    list_.tokens.push_back(std::move(token));
    return list_.tokens.back();
  }

  void symbol(char c) {
    if (c == '(' || c == '[') ++bracket_depth_;
    if ((c == ')' || c == ']') && bracket_depth_ > 0) --bracket_depth_;
    push(TokenType::kSymbol, std::string(1, c));
  }

  void step() {
    const char c = peek();
    if (c == '\\') return command();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)) && !after_digit())) return number();
    if (c == '.' && next_is(".\\overline")) return number();
    if (is_letter(c)) return letters();
    if (static_cast<unsigned char>(c) >= 0x80) return foreign();
    if (c == '{' || c == '}') return brace(c);
    ++at_;
    switch (c) {
      case ' ':
      case '\t':
      case '\n':
      case '\r':
      case '~':
        space_ = true;
        return;
      case '$':
      case '"':
      case '`':
        return;
      case '.':
        if (next_is("..")) {
          at_ += 2;
          push(TokenType::kCommand, "dots");
          return;
        }
        break;
      case '*':
        if (peek() == '*') {
          ++at_;
          return symbol('^');
        }
        break;
      case '<':
      case '>':
      case '!':
      case '=':
      case '-':
        if (two_character_operator(c)) return;
        break;
      default:
        break;
    }
    symbol(c);
  }

  bool after_digit() const { return at_ > 0 && is_digit(text_[at_ - 1]); }

  bool two_character_operator(char first) {
    const char second = peek();
    const char* name = nullptr;
    if (first == '<' && second == '=') name = "le";
    if (first == '>' && second == '=') name = "ge";
    if (first == '!' && second == '=') name = "ne";
    if (first == '-' && second == '>') name = "to";
    if (first == '=' && second == '=') {
      ++at_;
      symbol('=');
      return true;
    }
    if (name == nullptr) return false;
    ++at_;
    push(TokenType::kCommand, name);
    return true;
  }

  // Roman and bold groups leave no braces in the token stream.
  void brace(char c) {
    ++at_;
    if (c == '{') {
      groups_.push_back('{');
      return symbol('{');
    }
    if (groups_.empty()) return symbol('}');
    const char kind = groups_.back();
    groups_.pop_back();
    if (kind == 'r') {
      --roman_depth_;
    } else if (kind == 'b') {
      --bold_depth_;
    } else {
      symbol('}');
    }
  }

  void foreign() {
    const std::size_t start = at_;
    next_code_point(text_, at_);
    push(TokenType::kWord, std::string(text_.substr(start, at_ - start)));
  }

  void letters() {
    const bool half_day = (lower(peek()) == 'a' || lower(peek()) == 'p') && peek(1) == '.' &&
                          lower(peek(2)) == 'm' && !is_letter(peek(3));
    if (half_day) {
      push(TokenType::kWord, lower(peek()) == 'a' ? "am" : "pm");
      at_ += peek(3) == '.' ? 4 : 3;
      return;
    }
    const std::size_t start = at_;
    while (is_letter(peek())) ++at_;
    run_of_letters(text_.substr(start, at_ - start));
  }

  void run_of_letters(std::string_view run) {
    const std::string small = lowered(run);
    if (run.size() > 1 && is_command_word(small) && !is_unit_of_time(small)) {
      const std::string_view name = small == "sqrt" ? "surd" : canonical_command(small);
      push(TokenType::kCommand, std::string(name));
      return;
    }
    // "NO" and "dM" are prose only where nothing else stands or after a number.
    const bool two_capitals = run.size() == 2 && run[1] < 'a' && !after_number() &&
                              !(list_.tokens.empty() && at_ == text_.size());
    const bool in_text = roman() || roman_once_;
    if (in_text && (run == "Re" || run == "Im")) {
      push(TokenType::kCommand, std::string(run));
      return;
    }
    const bool numeral = next_is("}_") && std::all_of(run.begin(), run.end(), [](char c) {
                           return c >= 'A' && c <= 'F';
                         });  // \text{BAD}_{16}
    const bool prose =
        run.size() > 1 && !numeral && (in_text || (is_prose(run, space_) && !two_capitals));
    if (!prose) return variables(run);
    if (!in_text && starts_with_function(small)) return variables(run);
    push(TokenType::kWord, small);
  }

  // "10 min" and "5 sec", but "min(a, b)" and "sec x".
  bool is_unit_of_time(std::string_view word) const {
    if (word != "min" && word != "sec") return false;
    std::size_t next = at_;
    while (next < text_.size() && text_[next] == ' ') ++next;
    const char following = next < text_.size() ? text_[next] : '\0';
    const bool applied = following == '(' || following == '\\' || following == '^' ||
                         is_letter(following) || following == '{';
    return roman() ? following != '(' : !applied && after_number();
  }

  bool after_number() const {
    return !list_.tokens.empty() && list_.tokens.back().type == TokenType::kNumber;
  }

  // "sinx" and "cosx" are no prose.
  static bool starts_with_function(std::string_view run) {
    for (std::size_t length = run.size() - 1; length >= 2; --length) {
      if (is_command_word(run.substr(0, length))) return run.size() - length <= 1;
    }
    return false;
  }

  void variables(std::string_view run) {
    for (std::size_t length = run.size(); length >= 3; --length) {
      const std::string head = lowered(run.substr(0, length));
      if (length < run.size() && is_command_word(head)) {
        push(TokenType::kCommand, std::string(head == "sqrt" ? "surd" : canonical_command(head)));
        return variables(run.substr(length));
      }
    }
    const bool name = run.size() >= 3 && std::all_of(run.begin(), run.end(),
                                                     [](char c) { return c >= 'A' && c <= 'Z'; });
    if (name) {
      push(TokenType::kLetter, std::string(run));
      return;
    }
    for (char c : run) push(TokenType::kLetter, std::string(1, c));
  }

  // ---- numbers ----

  // Length of a thousands separator at `offset`, or 0.
  std::size_t separator_at(std::size_t offset) const {
    static constexpr std::string_view kSeparators[] = {
        "{,}\\!", "{,}", ",\\!", ",\\,", "\\,", "{\\,}", "\\ ", "\\;", "\\:", "~", "'", ","};
    const std::string_view rest = text_.substr(offset);
    for (std::string_view separator : kSeparators) {
      if (!rest.starts_with(separator)) continue;
      if (separator == "," && (bracket_depth_ > 0 || options_.comma_always_separates)) return 0;
      std::size_t length = separator.size();
      if (separator.ends_with('!')) {
        while (length < rest.size() && rest[length] == ' ') ++length;
      }
      return length;
    }
    return rest.starts_with(' ') && !roman() ? 1 : 0;
  }

  std::size_t digits_at(std::size_t offset) const {
    std::size_t end = offset;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    return end - offset;
  }

  // The integer part, thousands separators taken out.
  std::string grouped_digits() {
    const std::size_t first = digits_at(at_);
    std::string digits(text_.substr(at_, first));
    const std::size_t ungrouped_end = at_ + first;
    at_ = ungrouped_end;
    if (first == 0 || first > 3 || digits[0] == '0') return digits;
    const std::string ungrouped = digits;
    bool comma = false;
    while (true) {
      const std::size_t separator = separator_at(at_);
      if (separator == 0 || digits_at(at_ + separator) != 3) break;
      comma = comma || (separator == 1 && peek() == ',');
      digits += text_.substr(at_ + separator, 3);
      at_ += separator + 3;
    }
    // "1,234,56" is no grouped number, and "7 100/3" is a mixed one.
    const bool broken = (comma && peek() == ',' && is_digit(peek(1))) ||
                        (peek() == '/' && text_[ungrouped_end] == ' ');
    if (broken && at_ != ungrouped_end) {
      at_ = ungrouped_end;
      return ungrouped;
    }
    if (comma) list_.plain_comma_in_number = true;
    return digits;
  }

  // The digits of \overline{ddd}, \bar{d} or \dot{d} at the position, or empty.
  std::string repeating_digits() {
    if (text_[at_ - 1] == '.' && peek() == '(') {  // 0.(3)
      const std::size_t length = digits_at(at_ + 1);
      if (peek(length + 1) != ')') return "";
      std::string digits(text_.substr(at_ + 1, length));
      at_ += length + 2;
      return digits;
    }
    for (std::string_view name : {"\\overline", "\\bar", "\\dot"}) {
      if (!next_is(name)) continue;
      std::size_t start = at_ + name.size();
      while (start < text_.size() && text_[start] == ' ') ++start;
      const bool braced = start < text_.size() && text_[start] == '{';
      if (braced) ++start;
      const std::size_t length =
          braced ? digits_at(start) : std::min<std::size_t>(1, digits_at(start));
      const std::size_t end = start + length;
      if (length == 0 || (braced && (end >= text_.size() || text_[end] != '}'))) return "";
      at_ = end + (braced ? 1 : 0);
      return std::string(text_.substr(start, length));
    }
    return "";
  }

  void number() {
    std::string digits = grouped_digits();
    std::string repeating;
    const bool decimal =
        peek() == '.' && (is_digit(peek(1)) || next_is(".\\overline") || next_is(".\\bar") ||
                          next_is(".\\dot") || (next_is(".(") && is_digit(peek(2))));
    if (decimal) {
      ++at_;
      const std::size_t length = digits_at(at_);
      digits += '.';
      digits += text_.substr(at_, length);
      at_ += length;
      repeating = repeating_digits();
    }
    int exponent = 0;
    if (lower(peek()) == 'e') {
      const std::size_t sign = peek(1) == '-' || peek(1) == '+' ? 1 : 0;
      const std::size_t length = digits_at(at_ + 1 + sign);
      if (length > 0 && length <= 5 && !is_letter(peek(1 + sign + length))) {
        exponent = std::atoi(std::string(text_.substr(at_ + 1 + sign, length)).c_str());
        if (peek(1) == '-') exponent = -exponent;
        at_ += 1 + sign + length;
      }
    }
    bool ellipsis = false;
    for (std::string_view dots : {"...", "\\ldots", "\\dots", "\\cdots"}) {
      if (!decimal || !next_is(dots)) continue;
      ellipsis = true;
      at_ += dots.size();
      break;
    }
    Token& token = push(TokenType::kNumber, std::move(digits));
    token.repeating = std::move(repeating);
    token.exponent = exponent;
    token.ellipsis = ellipsis;
  }

  // ---- commands ----

  // "{name}" at the position: its content; the position moves past it.
  std::string braced_name() {
    while (peek() == ' ') ++at_;
    if (peek() != '{') {
      if (peek() == '\0') return "";
      return std::string(1, text_[at_++]);
    }
    const std::size_t close = text_.find('}', at_);
    if (close == std::string_view::npos) {
      at_ = text_.size();
      return "";
    }
    std::string name(text_.substr(at_ + 1, close - at_ - 1));
    at_ = close + 1;
    return name;
  }

  void open_font(char kind) {
    while (peek() == ' ' || peek() == '*') ++at_;
    if (peek() == '{') {
      ++at_;
      groups_.push_back(kind);
      ++(kind == 'r' ? roman_depth_ : bold_depth_);
    } else {
      (kind == 'r' ? roman_once_ : bold_once_) = true;
    }
  }

  void environment(const char* what) {
    const std::string name = braced_name();
    static constexpr std::string_view kMatrices[] = {"matrix",  "pmatrix", "bmatrix", "Bmatrix",
                                                     "vmatrix", "Vmatrix", "array",   "smallmatrix",
                                                     "cases",   "tabular"};
    const bool kept =
        std::find(std::begin(kMatrices), std::end(kMatrices), name) != std::end(kMatrices);
    if (!kept) return;
    if (what[0] == 'b' && (name == "array" || name == "tabular")) {
      if (peek() == '[') at_ = std::min(text_.find(']', at_), text_.size() - 1) + 1;
      braced_name();  // the columns' alignment
    }
    push(TokenType::kCommand, std::string(what) + ":" + name);
  }

  void command() {
    ++at_;
    const std::size_t start = at_;
    if (is_letter(peek())) {
      while (is_letter(peek())) ++at_;
    } else if (at_ < text_.size()) {
      ++at_;
    }
    const std::string_view written = text_.substr(start, at_ - start);
    switch (command_role(written)) {
      case CommandRole::kSpace:
        if (written != "!") space_ = true;
        if (written == "left" || written == "right") delimiter();
        return;
      case CommandRole::kSkipArgument:
        braced_name();
        return;
      case CommandRole::kRoman:
        return open_font('r');
      case CommandRole::kBold:
        return open_font('b');
      case CommandRole::kGroup:
        return;
      case CommandRole::kCurrency:
        list_.currency = true;
        return;
      case CommandRole::kKeep:
        return kept_command(written);
    }
  }

  // \left. and \right. draw nothing; \left< is an angle bracket.
  void delimiter() {
    while (peek() == ' ') ++at_;
    if (peek() == '.') {
      ++at_;
    } else if (peek() == '<' || peek() == '>') {
      push(TokenType::kCommand, text_[at_++] == '<' ? "langle" : "rangle");
    }
  }

  void kept_command(std::string_view written) {
    if (written == "begin") return environment("begin");
    if (written == "end") return environment("end");
    if (written == "{" || written == "}") {
      if (written == "{") ++bracket_depth_;
      if (written == "}" && bracket_depth_ > 0) --bracket_depth_;
      push(TokenType::kCommand, std::string(written));
      return;
    }
    if (written == "not") {
      while (peek() == ' ') ++at_;
      if (peek() == '=') {
        ++at_;
        push(TokenType::kCommand, "ne");
        return;
      }
      push(TokenType::kCommand, "not");
      return;
    }
    const std::string_view name = canonical_command(written);
    if (name == "mathbb" || name == "mathcal" || name == "mathfrak" || name == "mathscr") {
      const std::string argument = braced_name();
      push(TokenType::kCommand, std::string(name) + " " + argument);
      return;
    }
    if (name.size() == 1 && !is_letter(name[0]) && name[0] != '\\') {
      if (name == "{" || name == "}") {
        push(TokenType::kCommand, std::string(name));
      } else {
        symbol(name[0]);
      }
      return;
    }
    push(TokenType::kCommand, std::string(name));
  }

  // A final dot and the dots of abbreviations mean nothing; any other stays and
  // makes the parser fail.
  void drop_dots() {
    std::vector<Token>& tokens = list_.tokens;
    std::vector<Token> kept;
    kept.reserve(tokens.size() + 1);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const bool dot = tokens[i].is_symbol('.');
      const bool droppable =
          dot && !kept.empty() &&
          (i + 1 == tokens.size() || tokens[i].roman || kept.back().type == TokenType::kWord ||
           tokens[i + 1].type == TokenType::kWord || tokens[i + 1].is_symbol('.'));
      if (!droppable) kept.push_back(std::move(tokens[i]));
    }
    tokens = std::move(kept);
  }

  std::string source_;
  std::string_view text_;
  LexerOptions options_;
  TokenList list_;
  std::size_t at_ = 0;
  std::vector<char> groups_;  // open braces: '{', 'r' roman or 'b' bold
  int roman_depth_ = 0;
  int bold_depth_ = 0;
  int bracket_depth_ = 0;
  bool roman_once_ = false;
  bool bold_once_ = false;
  bool space_ = false;
};

}  // namespace

TokenList tokenize(std::string_view text, const LexerOptions& options) {
  if (text.size() > kMaxAnswerLength) {
    TokenList list;
    list.failed = true;
    list.tokens.emplace_back();
    return list;
  }
  return Lexer(transliterate(text), options).run();
}

}  // namespace fbt::scorers::math
