#include "results/store/experiments.h"

#include <fmt/format.h>

#include "results/store/database.h"
#include "results/store/open.h"

namespace fbt::results {

ExperimentStore::ExperimentStore(const std::filesystem::path& path, OpenMode mode)
    : store_(path, mode),
      database_(mode == OpenMode::kWrite ? open_for_writing(path) : open_for_reading(path)) {}

ExperimentStore::~ExperimentStore() = default;
ExperimentStore::ExperimentStore(ExperimentStore&&) noexcept = default;
ExperimentStore& ExperimentStore::operator=(ExperimentStore&&) noexcept = default;

ExperimentId ExperimentStore::get_or_create(const Checkpoint& checkpoint, const std::string& kind,
                                            const std::string& settings, int items_planned,
                                            bool fresh) {
  const CheckpointId checkpoint_id = store_.get_or_create_checkpoint(checkpoint);
  Transaction transaction(*database_);
  Statement insert(*database_,
                   "INSERT INTO experiments (checkpoint, kind, settings, items_planned, "
                   "started_at) VALUES (?1, ?2, ?3, ?4, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')) "
                   "ON CONFLICT (checkpoint, kind, settings) DO UPDATE SET items_planned = ?4 "
                   "RETURNING id");
  insert.bind(1, checkpoint_id).bind(2, kind).bind(3, settings).bind(4, items_planned);
  insert.step();
  const ExperimentId id = insert.integer(0);
  insert.run();
  if (fresh) {
    Statement erase(*database_, "DELETE FROM experiment_items WHERE experiment = ?1");
    erase.bind(1, id).run();
  }
  transaction.commit();
  return id;
}

void ExperimentStore::append(ExperimentId experiment, const std::string& item,
                             const std::string& value) {
  Statement insert(*database_,
                   "INSERT OR IGNORE INTO experiment_items (experiment, item, value) "
                   "VALUES (?1, ?2, ?3)");
  insert.bind(1, experiment).bind(2, item).bind(3, value).run();
}

std::vector<ExperimentRecord> ExperimentStore::experiments() const {
  Statement select(*database_,
                   "SELECT e.id, e.kind, e.settings, e.items_planned, e.started_at, "
                   "(SELECT COUNT(*) FROM experiment_items i WHERE i.experiment = e.id), "
                   "c.content_hash, c.name, c.train_tokens, c.average_passes, c.family, c.stage, "
                   "c.path FROM experiments e JOIN checkpoints c ON c.id = e.checkpoint "
                   "ORDER BY c.train_tokens, c.name, e.kind, e.id");
  std::vector<ExperimentRecord> records;
  while (select.step()) {
    ExperimentRecord& record = records.emplace_back();
    record.id = select.integer(0);
    record.kind = select.text(1);
    record.settings = select.text(2);
    record.items_planned = static_cast<int>(select.integer(3));
    record.started_at = select.text(4);
    record.items_done = static_cast<int>(select.integer(5));
    record.checkpoint.content_hash = select.text(6);
    record.checkpoint.name = select.text(7);
    if (!select.is_null(8)) record.checkpoint.train_tokens = select.real(8);
    if (!select.is_null(9)) record.checkpoint.average_passes = select.real(9);
    record.checkpoint.family = select.text(10);
    record.checkpoint.stage = select.text(11);
    record.checkpoint.path = select.text(12);
  }
  return records;
}

std::map<std::string, std::string> ExperimentStore::items(ExperimentId experiment) const {
  Statement select(*database_, "SELECT item, value FROM experiment_items WHERE experiment = ?1");
  select.bind(1, experiment);
  std::map<std::string, std::string> items;
  while (select.step()) items.emplace(select.text(0), select.text(1));
  return items;
}

}  // namespace fbt::results
