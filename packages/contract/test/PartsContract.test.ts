/** The kits of parts, on small ones of a host's own. */
import { Unsupported } from "@tributary/core/ports/TextExtractor"
import { Effect } from "effect"
import { rerankerContract, textExtractorContract } from "../src/PartsContract.ts"

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/\w+/g) ?? []

rerankerContract("by words in common", {
  model: "words",
  rerank: (query, texts) =>
    Effect.succeed(texts.map((text) => wordsOf(query).filter((word) => wordsOf(text).includes(word)).length))
})

/** Cells share a line. */
const linesOf = (html: string): string => html.replaceAll(/<t[hd]>/g, " ").replaceAll(/<[/a-z][^>]*>/g, "\n")

const bytes = new TextEncoder().encode("kept in locker 7")

textExtractorContract(
  "of plain text alone",
  Effect.succeed({
    fromMarkup: (text, type) => Effect.succeed({ title: null, text: type === "text/html" ? linesOf(text) : text }),
    fromFile: ({ bytes, name }) =>
      name.endsWith(".txt")
        ? Effect.succeed({ title: name, text: new TextDecoder().decode(bytes) })
        : Effect.fail(new Unsupported({ message: "Only plain text is read." }))
  }),
  [{ name: "keys.txt", contentType: "text/plain", bytes, contains: "locker 7" }]
)
