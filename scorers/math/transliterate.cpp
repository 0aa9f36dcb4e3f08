#include "scorers/math/transliterate.h"

#include <unordered_map>

#include "base/utf8.h"

namespace fbt::scorers::math {

namespace {

// By code point; empty: no LaTeX for it.
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

std::string_view unicode_as_latex(char32_t code_point) {
  const auto found = unicode_table().find(code_point);
  return found == unicode_table().end() ? std::string_view() : found->second;
}

}  // namespace

std::string transliterate(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      result += text[at++];
      continue;
    }
    const std::size_t start = at;
    const char32_t code_point = next_code_point(text, at);
    const std::string_view latex = unicode_as_latex(code_point);
    const bool dropped = code_point == 0x200B || code_point == 0xFEFF;
    if (latex.empty() && !dropped) {
      result += text.substr(start, at - start);
    } else {
      result += latex;
    }
  }
  return result;
}

}  // namespace fbt::scorers::math
