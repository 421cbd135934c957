/** The program in a Web Worker: it runs once for each message. */
import { program } from "./program.ts"

addEventListener("message", ({ data: [origin, key] }: MessageEvent<[string, string]>) => {
  void program(origin, key).catch(String).then((result) => postMessage(result))
})
