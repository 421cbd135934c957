/** `tributary search`, and how questions are read from the command line. */
import * as Effect from "effect/Effect"
import type { Given } from "../command/Command.ts"
import { calledWrongly } from "../command/UsageError.ts"
import { workspace } from "../transport/connect.ts"
import { onOneLine } from "./printing.ts"

export const sourcesOf = (given: Given) => given.has("source") ? { sources: given.values("source") } : {}

const limitOf = Effect.fnUntraced(function*(given: Given) {
  const text = given.value("limit")
  if (text === undefined) return {}
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > 100) return yield* calledWrongly(`--limit: "${text}" is no whole number from 1 to 100.`)
  return { limit }
})

/** Words need no quotation marks. */
export const textOf = ({ words }: Given): string => words.join(" ")

export const search = Effect.fnUntraced(function*(given: Given) {
  const request = { q: textOf(given), ...sourcesOf(given), ...yield* limitOf(given) }
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
