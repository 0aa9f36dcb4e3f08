"""A headless Chromium for tests, driven over its debugging pipe.

Only Python's standard library: the DevTools protocol is JSON messages that end
with a NUL byte, written to the browser's file descriptor 3 and read from its 4.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

TIMEOUT_S = 60


def find_chromium():
    """The browser's path, or None where none is installed."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    return None


class Browser:
    """One browser with one page. Use as a context manager."""

    def __init__(self, program):
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        commands_in, self._commands = os.pipe()
        self._events, events_out = os.pipe()
        arguments = [
            program, "--headless=new", "--remote-debugging-pipe", "--no-first-run",
            "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
            "--disable-background-networking", "--disable-component-update",
            f"--user-data-dir={self._profile.name}", "about:blank",
        ]
        if os.geteuid() == 0:
            arguments.insert(1, "--no-sandbox")  # the browser refuses to run as root with it

        def place_pipes():
            # dup2 onto 3 must not close the descriptor that goes to 4.
            commands, events = os.dup(commands_in), os.dup(events_out)
            os.dup2(commands, 3)
            os.dup2(events, 4)

        self._process = subprocess.Popen(
            arguments, preexec_fn=place_pipes, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands_in)
        os.close(events_out)
        self._buffer = b""
        self._next_id = 0
        self._session = None
        self.problems = []  # console errors, exceptions, and requests other than the page itself
        self._page_url = None
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._commands)
        os.close(self._events)
        self._profile.cleanup()

    # --- The protocol -------------------------------------------------------

    def call(self, method, **parameters):
        self._next_id += 1
        message = {"id": self._next_id, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == message["id"]:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def _read(self):
        deadline = time.monotonic() + TIMEOUT_S
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._events], [], [], deadline - time.monotonic())
            if not ready:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self._events, 1 << 20)
            if not piece:
                raise RuntimeError("the browser ended")
            self._buffer += piece
        text, self._buffer = self._buffer.split(b"\0", 1)
        message = json.loads(text)
        self._note(message)
        return message

    def _note(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
            self.problems.append(f"console: {parameters['args']}")
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.problems.append(f"log: {parameters['entry']['text']}")
        elif method == "Network.requestWillBeSent":
            url = parameters["request"]["url"]
            if url.split("#")[0] != self._page_url:
                self.problems.append(f"request: {url}")

    # --- What tests do ------------------------------------------------------

    def open(self, path):
        self._page_url = "file://" + os.path.abspath(path)
        self.call("Page.navigate", url=self._page_url)
        self.wait_for("document.readyState === 'complete'")

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def wait_for(self, condition):
        deadline = time.monotonic() + TIMEOUT_S
        while not self.evaluate(f"Boolean({condition})"):
            if time.monotonic() > deadline:
                raise TimeoutError(f"never came true: {condition}")
            time.sleep(0.02)

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def media(self, kind="screen", scheme="light"):
        self.call("Emulation.setEmulatedMedia", media=kind,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def press(self, key, text=None):
        """A key by its DOM name; `text` for those that write."""
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, "PageUp": 33, "PageDown": 34, "End": 35,
                 "Home": 36, "ArrowUp": 38, "ArrowDown": 40}
        code = codes.get(key, ord(key[0].upper()))
        parameters = {"key": key, "windowsVirtualKeyCode": code}
        if text:
            parameters["text"] = text
        self.call("Input.dispatchKeyEvent", type="keyDown", **parameters)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def write(self, text):
        self.call("Input.insertText", text=text)

    def click(self, selector):
        place = self.evaluate(f"""(() => {{
            const target = document.querySelector({json.dumps(selector)});
            target.scrollIntoView({{block: "center"}});
            const box = target.getBoundingClientRect();
            return {{x: box.x + box.width / 2, y: box.y + box.height / 2}};
        }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **place)

    def screenshot(self, path, selector=None):
        """The visible page or, scrolled to, one element."""
        clip = {}
        if selector:
            box = self.evaluate(f"""(() => {{
                const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();
                return {{x: box.x + scrollX, y: box.y + scrollY, width: box.width,
                         height: box.height, scale: 1}};
            }})()""")
            clip = {"clip": box, "captureBeyondViewport": True}
        data = self.call("Page.captureScreenshot", format="png", **clip)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
