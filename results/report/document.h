#pragma once

// A report as a document: sections of text, tables and figures, in the order in
// which they are read. Sections are made in section/, written as HTML in html.cpp.

#include <string>
#include <variant>
#include <vector>

#include "results/table/table.h"

namespace fbt::results {

struct Paragraph {
  std::string text;
  bool is_warning = false;
};

struct Subheading {
  std::string text;
};

struct TableBlock {
  // A cell's lines after the first are its small print. The first column heads its row.
  Table table;
  std::string folded;  // heading of a closed fold around the table; empty: open
};

// Beside each other where there is room.
struct Tables {
  std::vector<Table> tables;
};

struct Figure {
  std::string caption;
  std::string svg;
  Table data;  // the figures behind the plot, in a fold below it
};

// Beside each other where there is room.
struct Figures {
  std::vector<Figure> figures;
};

using Block = std::variant<Paragraph, Subheading, TableBlock, Tables, Figures>;

struct Section {
  std::string id;  // of its heading: where links lead
  std::string title;
  std::vector<Block> blocks;
};

}  // namespace fbt::results
