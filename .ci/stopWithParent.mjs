// Preloaded by `node --import`: stops the process when the other end of its standard input closes. The system closes it
// however the parent ends, also by SIGKILL.

import { isMainThread } from "node:worker_threads"

if (isMainThread) process.stdin.once("end", () => process.kill(process.pid, "SIGTERM")).resume().unref()
