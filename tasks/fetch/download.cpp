#include "tasks/fetch/download.h"

#include <curl/curl.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"

namespace fbt::tasks {
namespace {

constexpr int kAttempts = 4;
constexpr long kConnectSeconds = 30;
constexpr long kStalledSeconds = 60;  // without a byte, the connection counts as broken

struct CurlGlobal {
  CurlGlobal() { curl_global_init(CURL_GLOBAL_DEFAULT); }
  ~CurlGlobal() { curl_global_cleanup(); }
};

// One attempt at appending the rest of a URL to a file.
class Transfer {
 public:
  Transfer(const std::string& url, const std::filesystem::path& part,
           const DownloadProgress& progress)
      : url_(url), part_(part), progress_(progress) {}

  CURLcode run() {
    if (std::filesystem::exists(part_)) have_ = std::filesystem::file_size(part_);
    const std::unique_ptr<CURL, void (*)(CURL*)> curl(curl_easy_init(), curl_easy_cleanup);
    if (!curl) throw EnvironmentError("cannot set up libcurl");
    set_options(curl.get());
    const CURLcode result = curl_easy_perform(curl.get());
    curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status_);
    if (file_ && std::fclose(file_.release()) != 0 && write_error_ == 0) write_error_ = errno;
    if (write_error_ != 0) {
      throw EnvironmentError(
          fmt::format("cannot write {}: {}; make room and run the same command again",
                      part_.string(), std::strerror(write_error_)));
    }
    return result;
  }

  long status() const { return status_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void set_options(CURL* curl) {
    curl_easy_setopt(curl, CURLOPT_URL, url_.c_str());
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "fbt-eval");
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, kStalledSeconds);
    curl_easy_setopt(curl, CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(have_));
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &Transfer::write);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, this);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, &Transfer::report);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, this);
  }

  static std::size_t write(char* bytes, std::size_t size, std::size_t count, void* self) {
    auto* transfer = static_cast<Transfer*>(self);
    // Opened only now, so that a failed attempt leaves no empty file.
    if (!transfer->file_) transfer->file_.reset(std::fopen(transfer->part_.c_str(), "ab"));
    const std::size_t written =
        transfer->file_ ? std::fwrite(bytes, size, count, transfer->file_.get()) : 0;
    if (written != count) transfer->write_error_ = errno;
    return size * written;
  }

  static int report(void* self, curl_off_t total, curl_off_t arrived, curl_off_t, curl_off_t) {
    auto* transfer = static_cast<Transfer*>(self);
    if (transfer->progress_) {
      const auto all = total > 0 ? transfer->have_ + static_cast<std::uint64_t>(total) : 0;
      transfer->progress_(transfer->have_ + static_cast<std::uint64_t>(arrived), all);
    }
    return 0;
  }

  const std::string& url_;
  const std::filesystem::path& part_;
  const DownloadProgress& progress_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t have_ = 0;
  long status_ = 0;
  int write_error_ = 0;
};

// The server cannot continue where the part ends: it ignores ranges, or the part
// is already as long as its file or longer.
bool part_is_useless(CURLcode result, long status) {
  return result == CURLE_RANGE_ERROR || result == CURLE_BAD_DOWNLOAD_RESUME || status == 416;
}

}  // namespace

void download(const std::string& url, const std::filesystem::path& path,
              const DownloadProgress& progress) {
  static const CurlGlobal global;
  const std::filesystem::path part = path.string() + ".part";
  CURLcode result = CURLE_OK;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Transfer transfer(url, part, progress);
    result = transfer.run();
    if (result == CURLE_OK) {
      if (!std::filesystem::exists(part)) write_file_atomically(part, "");  // an empty file
      std::filesystem::rename(part, path);
      return;
    }
    if (part_is_useless(result, transfer.status())) {
      std::filesystem::remove(part);
    } else if (result == CURLE_HTTP_RETURNED_ERROR) {
      throw EnvironmentError(
          fmt::format("{} answers with status {}; the file may have moved: "
                      "see docs/tasks.md for other ways to get it",
                      url, transfer.status()));
    } else if (result == CURLE_COULDNT_RESOLVE_HOST || result == CURLE_UNSUPPORTED_PROTOCOL ||
               result == CURLE_URL_MALFORMAT) {
      break;  // another attempt would end the same way
    }
  }
  throw EnvironmentError(fmt::format(
      "cannot download {}: {}; what has arrived is kept, run the same command again to go on", url,
      curl_easy_strerror(result)));
}

}  // namespace fbt::tasks
