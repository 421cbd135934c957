/** `tributary search`, and how questions are read from the command line. */
import * as Effect from "effect/Effect"
import type { Given } from "../command/Command.ts"
import { workspace } from "../transport/connect.ts"
import { wholeNumberOf } from "./optionValues.ts"
import { onOneLine } from "./printing.ts"

export const sourcesOf = (given: Given) => given.has("source") ? { sources: given.values("source") } : {}

/** Words need no quotation marks. */
export const textOf = ({ words }: Given): string => words.join(" ")

export const search = Effect.fnUntraced(function*(given: Given) {
  const limit = yield* wholeNumberOf(given, "limit", 1, 100)
  const request = { q: textOf(given), ...sourcesOf(given), ...(limit !== undefined && { limit }) }
  const { ask, client } = yield* workspace(given)
  const answer = yield* ask(() => client.knowledge.search(request))
  const found = answer.results.map(({ external_id, snippet, source, title }, index) =>
    [
      `${index + 1}. ${onOneLine(title ?? external_id)}  (${source}, ${onOneLine(external_id)})`,
      `   ${onOneLine(snippet)}`
    ].join("\n")
  )
  return {
    json: answer,
    text: [...found.length === 0 ? ["Nothing found."] : found, ...(answer.warnings ?? [])].join("\n\n")
  }
}, Effect.scoped)
