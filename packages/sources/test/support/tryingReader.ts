/** A reader's thread that waits for as long as its task says, or works forever. */
import { port } from "../../src/internal/readerPort.ts"

port.on("message", (task: number | "works forever") => {
  if (task === "works forever") { for (;;) performance.now() }
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(task))
  port.postMessage("read", [])
})
