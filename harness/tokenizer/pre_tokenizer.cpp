#include "harness/tokenizer/pre_tokenizer.h"

#include <utility>

#include "base/utf8.h"
#include "harness/tokenizer/regex.h"
#include "harness/tokenizer/replacement.h"
#include "harness/tokenizer/splitter.h"
#include "harness/tokenizer/unicode_classes.h"

namespace fbt::tokenizer {
namespace {

// The pattern of GPT-2, which ByteLevel applies by itself: English contractions,
// then letters, numbers or other signs, each with one space before it, then
// white space, of which the last character is left to what follows.
constexpr std::string_view kGpt2Pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

// A step that cuts at delimiters without changing the text.
class DelimiterSplit : public PreTokenizer {
 public:
  explicit DelimiterSplit(DelimiterBehavior behavior) : behavior_(behavior) {}

  void apply(PieceList& list) const override {
    std::vector<Piece> result;
    std::vector<Span> spans;
    for (const Piece& piece : list.pieces) {
      spans.clear();
      find_spans(piece.text, spans);
      apply_behavior(behavior_, spans);
      for (const Span& span : spans) {
        if (span.begin == span.end) continue;
        result.push_back({piece.text.substr(span.begin, span.end - span.begin),
                          piece.starts_input && span.begin == 0});
      }
    }
    list.pieces = std::move(result);
  }

 private:
  // Appends spans that cover `text`.
  virtual void find_spans(std::string_view text, std::vector<Span>& spans) const = 0;

  DelimiterBehavior behavior_;
};

// Delimiters are the matches of a pattern or, inverted, what lies between them.
class PatternSplit : public DelimiterSplit {
 public:
  PatternSplit(Regex pattern, DelimiterBehavior behavior, bool invert)
      : DelimiterSplit(behavior), pattern_(std::move(pattern)), invert_(invert) {}

 private:
  void find_spans(std::string_view text, std::vector<Span>& spans) const override {
    std::vector<Match> matches;
    pattern_.find_all(text, matches);
    spans.reserve(matches.size());
    std::size_t covered = 0;
    for (const Match match : matches) {
      if (covered < match.begin) spans.push_back({covered, match.begin, invert_});
      spans.push_back({match.begin, match.end, !invert_});
      covered = match.end;
    }
    if (covered < text.size()) spans.push_back({covered, text.size(), invert_});
  }

  Regex pattern_;
  bool invert_;
};

// Every character of a class is a delimiter.
class CharacterSplit : public DelimiterSplit {
 public:
  using Class = bool (*)(char32_t);
  CharacterSplit(Class is_delimiter, DelimiterBehavior behavior)
      : DelimiterSplit(behavior), is_delimiter_(is_delimiter) {}

 private:
  void find_spans(std::string_view text, std::vector<Span>& spans) const override {
    std::size_t covered = 0;
    for (std::size_t offset = 0; offset < text.size();) {
      const std::size_t begin = offset;
      if (!is_delimiter_(next_code_point(text, offset))) continue;
      if (covered < begin) spans.push_back({covered, begin, false});
      spans.push_back({begin, offset, true});
      covered = offset;
    }
    if (covered < text.size()) spans.push_back({covered, text.size(), false});
  }

  Class is_delimiter_;
};

// Runs of word characters and runs of other signs; white space disappears.
class WhitespaceAndWords : public DelimiterSplit {
 public:
  WhitespaceAndWords() : DelimiterSplit(DelimiterBehavior::kRemoved) {}

 private:
  enum class Kind { kSpace, kWord, kOther };

  static Kind kind_of(char32_t code_point) {
    if (is_white_space(code_point)) return Kind::kSpace;
    return is_word_character(code_point) ? Kind::kWord : Kind::kOther;
  }

  void find_spans(std::string_view text, std::vector<Span>& spans) const override {
    Kind current = Kind::kSpace;
    for (std::size_t offset = 0; offset < text.size();) {
      const std::size_t begin = offset;
      const Kind kind = kind_of(next_code_point(text, offset));
      if (spans.empty() || kind != current) {
        spans.push_back({begin, offset, kind == Kind::kSpace});
        current = kind;
      } else {
        spans.back().end = offset;
      }
    }
  }
};

// A space before every piece that lacks one.
class PrefixSpace : public PreTokenizer {
 public:
  void apply(PieceList& list) const override {
    for (Piece& piece : list.pieces) {
      if (piece.text.starts_with(' ')) continue;
      piece.text = list.rewritten.emplace_back(1, ' ').append(piece.text);
    }
  }
};

// SentencePiece's spelling of spaces as a visible sign.
class Metaspace : public PreTokenizer {
 public:
  enum class PrependScheme { kAlways, kFirst, kNever };

  explicit Metaspace(const JsonNode& node)
      : sign_(node.at("replacement").text()), scheme_(read_scheme(node)) {
    if (count_code_points(sign_) != 1) {
      node.at("replacement").fail("should be one character");
    }
  }

  void apply(PieceList& list) const override {
    for (Piece& piece : list.pieces) {
      std::string text;
      for (const char c : piece.text) {
        if (c == ' ') {
          text += sign_;
        } else {
          text += c;
        }
      }
      const bool prepends = scheme_ == PrependScheme::kAlways ||
                            (scheme_ == PrependScheme::kFirst && piece.starts_input);
      if (prepends && !text.starts_with(sign_)) text.insert(0, sign_);
      piece.text = list.rewritten.emplace_back(std::move(text));
    }
  }

  const std::string& sign() const { return sign_; }

 private:
  static PrependScheme read_scheme(const JsonNode& node) {
    const auto scheme = node.find("prepend_scheme");
    if (!scheme) {  // files from before the key existed
      return node.flag_or("add_prefix_space", true) ? PrependScheme::kAlways
                                                    : PrependScheme::kNever;
    }
    const std::string name = scheme->text();
    if (name == "always") return PrependScheme::kAlways;
    if (name == "first") return PrependScheme::kFirst;
    if (name == "never") return PrependScheme::kNever;
    scheme->refuse(name);
  }

  std::string sign_;
  PrependScheme scheme_;
};

DelimiterBehavior behavior_or(const JsonNode& node, DelimiterBehavior fallback) {
  const auto behavior = node.find("behavior");
  return behavior ? read_behavior(*behavior) : fallback;
}

void append_byte_level(const JsonNode& node, PreTokenizerChain& chain) {
  if (node.flag_or("add_prefix_space", true))
    chain.steps.push_back(std::make_unique<PrefixSpace>());
  if (node.flag_or("use_regex", true)) {
    chain.steps.push_back(
        std::make_unique<PatternSplit>(Regex(kGpt2Pattern), DelimiterBehavior::kIsolated, false));
  }
  chain.byte_level = true;
}

void append_metaspace(const JsonNode& node, PreTokenizerChain& chain) {
  auto metaspace = std::make_unique<Metaspace>(node);
  const std::string sign = metaspace->sign();
  chain.steps.push_back(std::move(metaspace));
  if (node.flag_or("split", true)) {
    chain.steps.push_back(std::make_unique<PatternSplit>(
        Regex::literal(sign), DelimiterBehavior::kMergedWithNext, false));
  }
}

void append_steps(const JsonNode& node, PreTokenizerChain& chain) {
  const std::string type = node.at("type").text();
  if (type == "Sequence") {
    const JsonNode steps = node.at("pretokenizers");
    for (std::size_t i = 0; i < steps.size(); ++i) append_steps(steps.at(i), chain);
    return;
  }
  // What follows would see the bytes' spelling, not the text.
  if (chain.byte_level) node.refuse(type + " pre-tokenizer after ByteLevel");

  if (type == "ByteLevel") {
    append_byte_level(node, chain);
  } else if (type == "Metaspace") {
    append_metaspace(node, chain);
  } else if (type == "Split") {
    chain.steps.push_back(std::make_unique<PatternSplit>(make_pattern(node.at("pattern")),
                                                         read_behavior(node.at("behavior")),
                                                         node.flag_or("invert", false)));
  } else if (type == "Digits") {
    chain.steps.push_back(std::make_unique<CharacterSplit>(
        is_number, node.flag_or("individual_digits", false) ? DelimiterBehavior::kIsolated
                                                            : DelimiterBehavior::kContiguous));
  } else if (type == "Punctuation") {
    chain.steps.push_back(std::make_unique<CharacterSplit>(
        is_punctuation, behavior_or(node, DelimiterBehavior::kIsolated)));
  } else if (type == "WhitespaceSplit") {
    chain.steps.push_back(
        std::make_unique<CharacterSplit>(is_white_space, DelimiterBehavior::kRemoved));
  } else if (type == "Whitespace") {
    chain.steps.push_back(std::make_unique<WhitespaceAndWords>());
  } else {
    node.refuse(type + " pre-tokenizer");
  }
}

}  // namespace

PreTokenizerChain make_pre_tokenizers(const JsonNode& node) {
  PreTokenizerChain chain;
  append_steps(node, chain);
  return chain;
}

}  // namespace fbt::tokenizer
