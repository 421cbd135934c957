/** The title and the text of a file. */
import { TextExtractor } from "@tributary/core/ports/TextExtractor"
import * as Extract from "@tributary/extract/Extract"
import { Console, Effect } from "effect"

const bytes = new TextEncoder().encode("<title>Keys</title><p>The spare key is in locker 7.</p>")

const program = Effect.gen(function*() {
  const extractor = yield* TextExtractor
  const { text, title } = yield* extractor.fromFile({ bytes, name: "keys.html", contentType: "text/html" })
  yield* Console.log(`${title}: ${text}`)
})

await Effect.runPromise(Effect.provide(program, Extract.layer))
