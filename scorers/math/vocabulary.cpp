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

const std::unordered_map<char32_t, std::string_view>& unicode_table() {
  static const std::unordered_map<char32_t, std::string_view> table = {{0x2212, "-"},
                                                                       {0x2013, "-"},
                                                                       {0x2014, "-"},
                                                                       {0x2010, "-"},
                                                                       {0x2011, "-"},
                                                                       {0xFE63, "-"},
                                                                       {0xD7, "*"},
                                                                       {0xB7, "*"},
                                                                       {0x22C5, "*"},
                                                                       {0x2219, "*"},
                                                                       {0x2217, "*"},
                                                                       {0xF7, "/"},
                                                                       {0x2215, "/"},
                                                                       {0x2044, "/"},
                                                                       {0x221A, "\\surd "},
                                                                       {0x221E, "\\infty "},
                                                                       {0xB0, "^\\circ "},
                                                                       {0xBA, "^\\circ "},
                                                                       {0x2264, "\\le "},
                                                                       {0x2265, "\\ge "},
                                                                       {0x2A7D, "\\le "},
                                                                       {0x2A7E, "\\ge "},
                                                                       {0x2260, "\\ne "},
                                                                       {0x2248, "\\approx "},
                                                                       {0x222A, "\\cup "},
                                                                       {0x2229, "\\cap "},
                                                                       {0x2208, "\\in "},
                                                                       {0x2205, "\\emptyset "},
                                                                       {0xB1, "\\pm "},
                                                                       {0x2213, "\\mp "},
                                                                       {0x2192, "\\to "},
                                                                       {0x21D2, "\\implies "},
                                                                       {0x21D4, "\\iff "},
                                                                       {0x2227, "\\wedge "},
                                                                       {0x2228, "\\vee "},
                                                                       {0xAC, "\\neg "},
                                                                       {0x2261, "\\equiv "},
                                                                       {0x2220, "\\angle "},
                                                                       {0x25B3, "\\triangle "},
                                                                       {0x2206, "\\Delta "},
                                                                       {0x22A5, "\\perp "},
                                                                       {0x211D, "\\mathbb{R}"},
                                                                       {0x2124, "\\mathbb{Z}"},
                                                                       {0x2115, "\\mathbb{N}"},
                                                                       {0x211A, "\\mathbb{Q}"},
                                                                       {0x2102, "\\mathbb{C}"},
                                                                       {0x2026, "\\dots "},
                                                                       {0x22EF, "\\dots "},
                                                                       {0x2032, "'"},
                                                                       {0x2018, "'"},
                                                                       {0x2019, "'"},
                                                                       {0x201C, "\""},
                                                                       {0x201D, "\""},
                                                                       {0xFF0C, ","},
                                                                       {0xFF1A, ":"},
                                                                       {0xFF08, "("},
                                                                       {0xFF09, ")"},
                                                                       {0xFF1D, "="},
                                                                       {0xFF0B, "+"},
                                                                       {0xFF0D, "-"},
                                                                       {0xA0, " "},
                                                                       {0x2009, " "},
                                                                       {0x202F, " "},
                                                                       {0x2002, " "},
                                                                       {0x2003, " "},
                                                                       {0x2005, " "},
                                                                       {0x200A, " "},
                                                                       {0x200B, ""},
                                                                       {0x3000, " "},
                                                                       {0xFEFF, ""},
                                                                       {0xBD, "\\frac{1}{2}"},
                                                                       {0xBC, "\\frac{1}{4}"},
                                                                       {0xBE, "\\frac{3}{4}"},
                                                                       {0x2153, "\\frac{1}{3}"},
                                                                       {0x2154, "\\frac{2}{3}"},
                                                                       {0x215B, "\\frac{1}{8}"},
                                                                       {0x20AC, "\\euro "},
                                                                       {0xA3, "\\pounds "},
                                                                       {0xA5, "\\yen "},
                                                                       {0x20B9, "\\euro "},
                                                                       {0xA2, "\\text{ cents}"},
                                                                       {0x27E8, "\\langle "},
                                                                       {0x27E9, "\\rangle "},
                                                                       {0x230A, "\\lfloor "},
                                                                       {0x230B, "\\rfloor "},
                                                                       {0x2308, "\\lceil "},
                                                                       {0x2309, "\\rceil "},
                                                                       {0x2223, "|"},
                                                                       {0x2236, ":"},
                                                                       {0x2211, "\\sum "},
                                                                       {0x220F, "\\prod "},
                                                                       {0x222B, "\\int "},
                                                                       {0xB2, "^{2}"},
                                                                       {0xB3, "^{3}"},
                                                                       {0xB9, "^{1}"},
                                                                       {0x2070, "^{0}"},
                                                                       {0x2074, "^{4}"},
                                                                       {0x2075, "^{5}"},
                                                                       {0x2076, "^{6}"},
                                                                       {0x2077, "^{7}"},
                                                                       {0x2078, "^{8}"},
                                                                       {0x2079, "^{9}"},
                                                                       {0x207F, "^{n}"},
                                                                       {0x207B, "^{-1}"},
                                                                       {0x2080, "_{0}"},
                                                                       {0x2081, "_{1}"},
                                                                       {0x2082, "_{2}"},
                                                                       {0x2083, "_{3}"},
                                                                       {0x2084, "_{4}"},
                                                                       {0x2085, "_{5}"},
                                                                       {0x2086, "_{6}"},
                                                                       {0x2087, "_{7}"},
                                                                       {0x2088, "_{8}"},
                                                                       {0x2089, "_{9}"},
                                                                       {0x3B1, "\\alpha "},
                                                                       {0x3B2, "\\beta "},
                                                                       {0x3B3, "\\gamma "},
                                                                       {0x3B4, "\\delta "},
                                                                       {0x3B5, "\\epsilon "},
                                                                       {0x3B6, "\\zeta "},
                                                                       {0x3B7, "\\eta "},
                                                                       {0x3B8, "\\theta "},
                                                                       {0x3BB, "\\lambda "},
                                                                       {0x3BC, "\\mu "},
                                                                       {0xB5, "\\mu "},
                                                                       {0x3BD, "\\nu "},
                                                                       {0x3BE, "\\xi "},
                                                                       {0x3C0, "\\pi "},
                                                                       {0x3C1, "\\rho "},
                                                                       {0x3C3, "\\sigma "},
                                                                       {0x3C4, "\\tau "},
                                                                       {0x3C6, "\\phi "},
                                                                       {0x3D5, "\\phi "},
                                                                       {0x3C7, "\\chi "},
                                                                       {0x3C8, "\\psi "},
                                                                       {0x3C9, "\\omega "},
                                                                       {0x393, "\\Gamma "},
                                                                       {0x394, "\\Delta "},
                                                                       {0x398, "\\Theta "},
                                                                       {0x39B, "\\Lambda "},
                                                                       {0x3A0, "\\Pi "},
                                                                       {0x3A3, "\\Sigma "},
                                                                       {0x3A6, "\\Phi "},
                                                                       {0x3A9, "\\Omega "}};
  return table;
}

const Words& command_words() {
  static const Words words = {"sin",    "cos",      "tan",   "cot",    "sec",    "csc",    "sinh",
                              "cosh",   "tanh",     "coth",  "arcsin", "arccos", "arctan", "arccot",
                              "arcsec", "arccsc",   "asin",  "acos",   "atan",   "ln",     "log",
                              "exp",    "sqrt",     "gcd",   "lcm",    "max",    "min",    "pi",
                              "theta",  "alpha",    "beta",  "gamma",  "lambda", "phi",    "omega",
                              "sigma",  "infinity", "infty", "frac",   "binom",  "lg",     "cdot",
                              "times",  "neq",      "leq",   "geq",    "floor",  "ceil",   "union"};
  return words;
}

const Words& units() {
  static const Words words = {
      // one letter
      "m", "s", "g", "h", "l", "n", "j", "w", "v", "a", "c", "f", "k",
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

std::string_view unicode_as_latex(char32_t code_point) {
  const auto found = unicode_table().find(code_point);
  return found == unicode_table().end() ? std::string_view() : found->second;
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
  const auto found = std::find(kWords.begin(), kWords.end(), word);
  if (found == kWords.end()) return std::nullopt;
  return static_cast<int>(found - kWords.begin());
}

std::optional<int> scale_word_exponent(std::string_view word) {
  if (word == "hundred") return 2;
  if (word == "thousand") return 3;
  if (word == "million" || word == "millions") return 6;
  if (word == "billion" || word == "billions") return 9;
  if (word == "trillion" || word == "trillions") return 12;
  return std::nullopt;
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
