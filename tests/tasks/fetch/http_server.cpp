#include "tests/tasks/fetch/http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>

#include <fmt/format.h>

namespace fbt::testing {
namespace {

void send_all(int client, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

std::string receive_head(int client) {
  std::string head;
  char buffer[4096];
  while (head.find("\r\n\r\n") == std::string::npos) {
    const ssize_t got = ::recv(client, buffer, sizeof buffer, 0);
    if (got <= 0) break;
    head.append(buffer, static_cast<std::size_t>(got));
  }
  return head;
}

// What stands between `before` and the next `end`; empty without `before`.
std::string between(const std::string& text, const std::string& before, char end) {
  const std::size_t at = text.find(before);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + before.size();
  return text.substr(begin, text.find(end, begin) - begin);
}

}  // namespace

HttpServer::HttpServer() : listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener_, any, size) != 0 || ::listen(listener_, 8) != 0 ||
      ::getsockname(listener_, any, &size) != 0) {
    throw std::runtime_error("cannot listen on 127.0.0.1");
  }
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { run(); });
}

HttpServer::~HttpServer() {
  stop_ = true;
  ::shutdown(listener_, SHUT_RDWR);
  thread_.join();
  ::close(listener_);
}

std::string HttpServer::url() const {
  return fmt::format("http://127.0.0.1:{}", port_);
}

void HttpServer::serve(const std::string& path, Page page) {
  const std::lock_guard lock(mutex_);
  pages_[path] = std::move(page);
}

std::vector<std::string> HttpServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void HttpServer::run() {
  while (!stop_) {
    const int client = ::accept(listener_, nullptr, nullptr);
    if (client < 0) continue;
    answer(client);
    ::close(client);
  }
}

void HttpServer::answer(int client) {
  const std::string head = receive_head(client);
  const std::string path = between(head, "GET ", ' ');
  const std::string range = between(head, "Range: ", '\r');
  const std::lock_guard lock(mutex_);
  requests_.push_back(range.empty() ? path : path + " " + range);
  const auto found = pages_.find(path);
  if (found == pages_.end()) {
    send_all(client, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    return;
  }
  Page& page = found->second;
  std::string_view body = page.content;
  std::string status = "200 OK";
  std::string extra;
  if (!range.empty() && page.ranges) {
    const std::size_t begin = std::stoul(between(range, "bytes=", '-'));
    if (begin >= body.size()) {
      send_all(client,
               "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Length: 0\r\n"
               "Connection: close\r\n\r\n");
      return;
    }
    status = "206 Partial Content";
    extra = fmt::format("Content-Range: bytes {}-{}/{}\r\n", begin, body.size() - 1, body.size());
    body.remove_prefix(begin);
  }
  send_all(client, fmt::format("HTTP/1.1 {}\r\nContent-Length: {}\r\n{}Connection: close\r\n\r\n",
                               status, body.size(), extra));
  if (page.breaks > 0) {
    --page.breaks;
    body = body.substr(0, page.break_after);
  }
  send_all(client, body);
}

}  // namespace fbt::testing
