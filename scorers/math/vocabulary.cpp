#include "scorers/math/vocabulary.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace fbt::scorers::math {

namespace {

using Words = std::unordered_set<std::string_view>;
using Synonyms = std::unordered_map<std::string_view, std::string_view>;

const Words& spacing_commands() {
  static const Words words = {",",
                              ";",
                              ":",
                              "!",
                              " ",
                              ">",
                              "quad",
                              "qquad",
                              "thinspace",
                              "enspace",
                              "left",
                              "right",
                              "middle",
                              "big",
                              "Big",
                              "bigg",
                              "Bigg",
                              "bigl",
                              "bigr",
                              "Bigl",
                              "Bigr",
                              "biggl",
                              "biggr",
                              "Biggl",
                              "Biggr",
                              "displaystyle",
                              "textstyle",
                              "scriptstyle",
                              "limits",
                              "nolimits",
                              "mathstrut",
                              "strut",
                              "hfill",
                              "hfil",
                              "centering",
                              "allowbreak",
                              "nobreak",
                              "newline",
                              "noindent",
                              "rm",
                              "bf",
                              "it",
                              "cal",
                              "large",
                              "Large",
                              "small",
                              "tiny",
                              "normalsize",
                              "relax",
                              "/",
                              "-",
                              "par",
                              "nonumber",
                              "notag",
                              "medspace",
                              "thickspace",
                              "negthinspace",
                              "smallskip",
                              "medskip",
                              "bigskip",
                              "(",
                              ")"};
  return words;
}

const Words& roman_commands() {
  static const Words words = {"text",       "mbox",   "textbf", "textit", "textrm",
                              "textnormal", "textsf", "texttt", "mathrm", "operatorname",
                              "emph",       "hbox",   "textsc", "mathit", "mathsf",
                              "mathtt",     "textup", "textsl", "mathop", "mathbin"};
  return words;
}

const Words& bold_commands() {
  static const Words words = {"mathbf", "boldsymbol", "bm", "pmb", "bold", "symbf"};
  return words;
}

const Synonyms& synonyms() {
  static const Synonyms table = {{"dfrac", "frac"},
                                 {"tfrac", "frac"},
                                 {"cfrac", "frac"},
                                 {"nicefrac", "frac"},
                                 {"sfrac", "frac"},
                                 {"flatfrac", "frac"},
                                 {"dbinom", "binom"},
                                 {"tbinom", "binom"},
                                 {"leq", "le"},
                                 {"leqslant", "le"},
                                 {"leqq", "le"},
                                 {"geq", "ge"},
                                 {"geqslant", "ge"},
                                 {"geqq", "ge"},
                                 {"neq", "ne"},
                                 {"lt", "<"},
                                 {"gt", ">"},
                                 {"times", "*"},
                                 {"cdot", "*"},
                                 {"ast", "*"},
                                 {"cdotp", "*"},
                                 {"bullet", "*"},
                                 {"div", "/"},
                                 {"colon", ":"},
                                 {"lparen", "("},
                                 {"rparen", ")"},
                                 {"lbrack", "["},
                                 {"rbrack", "]"},
                                 {"lbrace", "{"},
                                 {"rbrace", "}"},
                                 {"vert", "|"},
                                 {"lvert", "|"},
                                 {"rvert", "|"},
                                 {"mid", "|"},
                                 {"lVert", "Vert"},
                                 {"rVert", "Vert"},
                                 {"|", "Vert"},
                                 {"bigcup", "cup"},
                                 {"bigcap", "cap"},
                                 {"sqcup", "cup"},
                                 {"land", "wedge"},
                                 {"lor", "vee"},
                                 {"rightarrow", "to"},
                                 {"longrightarrow", "to"},
                                 {"Rightarrow", "implies"},
                                 {"Longrightarrow", "implies"},
                                 {"Leftrightarrow", "iff"},
                                 {"leftrightarrow", "iff"},
                                 {"Longleftrightarrow", "iff"},
                                 {"ldots", "dots"},
                                 {"cdots", "dots"},
                                 {"dotsc", "dots"},
                                 {"dotsb", "dots"},
                                 {"backslash", "setminus"},
                                 {"smallsetminus", "setminus"},
                                 {"varnothing", "emptyset"},
                                 {"oslash", "emptyset"},
                                 {"O", "emptyset"},
                                 {"prime", "'"},
                                 {"degree", "circ"},
                                 {"degrees", "circ"},
                                 {"%", "%"},
                                 {"percent", "%"},
                                 {"approx", "approx"},
                                 {"thickapprox", "approx"},
                                 {"simeq", "approx"},
                                 {"doteq", "approx"},
                                 {"equals", "="},
                                 {"plus", "+"},
                                 {"minus", "-"},
                                 {"&", "&"},
                                 {"#", "#"},
                                 {"_", "_"},
                                 {"asin", "arcsin"},
                                 {"acos", "arccos"},
                                 {"atan", "arctan"},
                                 {"arcctg", "arccot"},
                                 {"tg", "tan"},
                                 {"ctg", "cot"},
                                 {"cosec", "csc"},
                                 {"lg", "log"},
                                 {"infinity", "infty"},
                                 {"inf", "infty"},
                                 {"oo", "infty"},
                                 {"mathbbm", "mathbb"},
                                 {"Bbb", "mathbb"},
                                 {"widehat", "hat"},
                                 {"bar", "overline"},
                                 {"widetilde", "tilde"},
                                 {"overleftrightarrow", "overline"},
                                 {"mod", "bmod"},
                                 {"lnot", "neg"},
                                 {"owns", "ni"},
                                 {"iint", "int"},
                                 {"union", "cup"},
                                 {"cr", "\\"},
                                 {"tabularnewline", "\\"}};
  return table;
}

const Words& command_words() {
  static const Words words = {
      "sin",   "cos",    "tan",      "cot",    "sec",    "csc",    "sinh",   "cosh",   "tanh",
      "coth",  "arcsin", "arccos",   "arctan", "arccot", "arcsec", "arccsc", "asin",   "acos",
      "atan",  "ln",     "log",      "exp",    "cis",    "arg",    "sqrt",   "gcd",    "lcm",
      "max",   "min",    "pi",       "theta",  "alpha",  "beta",   "gamma",  "lambda", "phi",
      "omega", "sigma",  "infinity", "infty",  "frac",   "binom",  "lg",     "cdot",   "times",
      "neq",   "leq",    "geq",      "floor",  "ceil",   "union",  "mod"};
  return words;
}

const Words& units() {
  static const Words words = {
      // one letter
      "m", "s", "g", "h", "l", "n", "j", "w", "v", "a", "c", "f", "k", "t",
      // length, area, volume
      "mm", "cm", "km", "dm", "nm", "in", "ft", "yd", "mi", "inch", "foot", "feet", "sq", "cu",
      "ml", "cc", "kl", "dl", "gal", "qt", "pt",
      // mass, time, speed
      "mg", "kg", "lb", "lbs", "oz", "ton", "tons", "sec", "secs", "min", "mins", "hr", "hrs",
      "day", "days", "wk", "yr", "yrs", "ms", "mph", "kph", "kmh", "fps", "rpm", "mps", "kmph",
      // physics, money, angles
      "hz", "khz", "mhz", "pa", "kpa", "kj", "kw", "kwh", "mol", "ev", "rad", "rads", "deg", "amp",
      "amps", "volt", "ohm", "usd", "eur", "cad", "rs", "db", "mb", "gb", "kb", "tb",
      // nouns shorter than the four letters that make prose
      "men", "way", "ways", "cup", "cups", "pair", "pct", "per", "of", "an", "the", "unit", "units",
      "each", "box", "hat", "hour", "week", "mile", "yard"};
  return words;
}

const Words& short_prose() {
  static const Words words = {"and", "or",   "no",   "yes",  "not", "dne", "true", "false", "is",
                              "if",  "for",  "to",   "by",   "am",  "pm",  "are",  "all",   "has",
                              "can", "any",  "one",  "two",  "six", "ten", "odd",  "even",  "none",
                              "red", "tie",  "base", "both", "mod", "as",  "at",   "on",    "its",
                              "it",  "with", "fri",  "mon",  "tue", "wed", "thu",  "sat",   "sun",
                              "we",  "but",  "set",  "than", "from"};
  return words;
}

bool is_vowel(char c) {
  return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
}

}  // namespace

CommandRole command_role(std::string_view name) {
  if (spacing_commands().contains(name)) return CommandRole::kSpace;
  if (roman_commands().contains(name)) return CommandRole::kRoman;
  if (bold_commands().contains(name)) return CommandRole::kBold;
  static const Words skipped = {"hspace", "vspace",    "phantom", "hphantom", "vphantom",
                                "color",  "textcolor", "tag",     "label",    "kern",
                                "mspace", "hskip",     "mkern",   "colorbox"};
  if (skipped.contains(name)) return CommandRole::kSkipArgument;
  static const Words groups = {"boxed",      "fbox",      "underline", "ensuremath", "mathord",
                               "underbrace", "overbrace", "smash",     "mathrel",    "mathopen",
                               "mathclose",  "framebox",  "cancel"};
  if (groups.contains(name)) return CommandRole::kGroup;
  static const Words currencies = {"$",          "euro",     "pounds",       "yen", "dollar",
                                   "textdollar", "texteuro", "textsterling", "EUR"};
  if (currencies.contains(name)) return CommandRole::kCurrency;
  return CommandRole::kKeep;
}

std::string_view canonical_command(std::string_view name) {
  const auto found = synonyms().find(name);
  return found == synonyms().end() ? name : found->second;
}

bool is_command_word(std::string_view word) {
  return command_words().contains(word);
}

bool is_unit(std::string_view word) {
  return units().contains(word);
}

bool is_prose(std::string_view run, bool space_before) {
  std::string lower(run);
  for (char& c : lower) c = static_cast<char>(c | 0x20);
  if (run.size() >= 2 && (units().contains(lower) || short_prose().contains(lower))) return true;
  const bool capitals = std::all_of(run.begin(), run.end(), [](char c) { return c < 'a'; });
  if (capitals) return false;
  if (run.size() >= 4) return true;
  // "Fri", "cat": a capital followed by small letters, or consonant, vowel, consonant.
  if (run.size() == 3 && run[0] < 'a' && run[1] >= 'a' && run[2] >= 'a') return true;
  return run.size() == 3 && space_before && !is_vowel(lower[0]) && is_vowel(lower[1]) &&
         !is_vowel(lower[2]);
}

std::optional<int> number_word(std::string_view word) {
  static constexpr std::array<std::string_view, 21> kWords = {
      "zero",     "one",     "two",     "three",     "four",     "five",     "six",
      "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",   "thirteen",
      "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"};
  static constexpr std::array<std::string_view, 7> kTens = {"thirty",  "forty",  "fifty", "sixty",
                                                            "seventy", "eighty", "ninety"};
  const auto small = std::find(kWords.begin(), kWords.end(), word);
  if (small != kWords.end()) return static_cast<int>(small - kWords.begin());
  const auto ten = std::find(kTens.begin(), kTens.end(), word);
  if (ten != kTens.end()) return 30 + 10 * static_cast<int>(ten - kTens.begin());
  return std::nullopt;
}

std::optional<long> scale_word(std::string_view word) {
  static const std::unordered_map<std::string_view, long> table = {{"dozen", 12L},
                                                                   {"hundred", 100L},
                                                                   {"thousand", 1000L},
                                                                   {"million", 1000000L},
                                                                   {"millions", 1000000L},
                                                                   {"billion", 1000000000L},
                                                                   {"billions", 1000000000L},
                                                                   {"trillion", 1000000000000L},
                                                                   {"trillions", 1000000000000L}};
  const auto found = table.find(word);
  if (found == table.end()) return std::nullopt;
  return found->second;
}

std::optional<UnitScale> unit_scale(std::string_view word) {
  static const std::unordered_map<std::string_view, UnitScale> table = {
      {"second", {'t', 1}},     {"seconds", {'t', 1}},  {"sec", {'t', 1}},
      {"secs", {'t', 1}},       {"minute", {'t', 60}},  {"minutes", {'t', 60}},
      {"min", {'t', 60}},       {"mins", {'t', 60}},    {"hour", {'t', 3600}},
      {"hours", {'t', 3600}},   {"hr", {'t', 3600}},    {"hrs", {'t', 3600}},
      {"day", {'t', 86400}},    {"days", {'t', 86400}}, {"week", {'t', 604800}},
      {"weeks", {'t', 604800}}, {"inch", {'l', 1}},     {"inches", {'l', 1}},
      {"in", {'l', 1}},         {"foot", {'l', 12}},    {"feet", {'l', 12}},
      {"ft", {'l', 12}},        {"yard", {'l', 36}},    {"yards", {'l', 36}},
      {"yd", {'l', 36}},        {"mile", {'l', 63360}}, {"miles", {'l', 63360}},
      {"mi", {'l', 63360}},     {"cent", {'m', 1}},     {"cents", {'m', 1}},
      {"dollar", {'m', 100}},   {"dollars", {'m', 100}}};
  const auto found = table.find(word);
  if (found == table.end()) return std::nullopt;
  return found->second;
}

}  // namespace fbt::scorers::math
