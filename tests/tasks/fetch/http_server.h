#pragma once

// A web server on 127.0.0.1 for one test, with the faults that the test asks for.

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace fbt::testing {

struct Page {
  std::string content;
  // The connection breaks after so many bytes of the body, `breaks` times over.
  std::size_t break_after = 0;
  int breaks = 0;
  bool ranges = true;  // honours "Range: bytes=N-"
};

class HttpServer {
 public:
  HttpServer();
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // "http://127.0.0.1:PORT".
  std::string url() const;
  // `path` begins with '/'. Other paths answer 404.
  void serve(const std::string& path, Page page);
  // The first lines of all requests so far, with their range: "/a", "/a bytes=3-".
  std::vector<std::string> requests() const;

 private:
  void run();
  void answer(int client);

  int listener_;
  int port_;
  std::atomic<bool> stop_ = false;
  mutable std::mutex mutex_;
  std::map<std::string, Page> pages_;
  std::vector<std::string> requests_;
  std::thread thread_;
};

}  // namespace fbt::testing
