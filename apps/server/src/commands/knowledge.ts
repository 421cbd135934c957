/** `tributary search` and `tributary ask`. */
import * as Effect from "effect/Effect"
import type { Given, Report } from "../command/Command.ts"
import { calledWrongly } from "../transport/failures.ts"
import { workspace } from "../transport/connect.ts"
import { onOneLine, plain } from "./printing.ts"

const sourcesOf = (given: Given) => given.has("source") ? { sources: given.values("source") } : {}

const limitOf = Effect.fnUntraced(function*(given: Given) {
  const text = given.value("limit")
  if (text === undefined) return {}
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > 100) return yield* calledWrongly(`--limit: "${text}" is no whole number from 1 to 100.`)
  return { limit }
})

/** Words need no quotation marks. */
const textOf = ({ words }: Given): string => words.join(" ")

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
  const report: Report = {
    json: answer,
    text: [...found.length === 0 ? ["Nothing found."] : found, ...(answer.warnings ?? [])].join("\n\n")
  }
  return report
}, Effect.scoped)

export const ask = Effect.fnUntraced(function*(given: Given) {
  const request = {
    query: textOf(given),
    ...sourcesOf(given),
    timezone: given.value("timezone") ?? null,
    language: given.value("language") ?? null
  }
  const { ask, client } = yield* workspace(given)
  const answer = yield* ask(() => client.knowledge.ask(request))
  const citations = answer.citations.map(({ entity: { external_id, marker, quote, source, title } }) =>
    [
      `[${marker}] ${onOneLine(title ?? external_id)}  (${source}, ${onOneLine(external_id)})`,
      `    "${onOneLine(quote)}"`
    ].join("\n")
  )
  const report: Report = {
    json: answer,
    text: [plain(answer.response), ...citations, ...(answer.warnings ?? [])].join("\n\n")
  }
  return report
}, Effect.scoped)
