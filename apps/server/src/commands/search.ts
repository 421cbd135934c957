/** `tributary search`, whose options `tributary ask` has as well. */
import * as Effect from "effect/Effect"
import type { Arguments } from "../cli/Command.ts"
import { workspaceClient } from "../transport/clients.ts"
import { wholeNumberOf } from "./optionValues.ts"
import { onOneLine } from "../cli/printing.ts"

export const sourcesOf = (args: Arguments) => args.has("source") ? { sources: args.values("source") } : {}

/** Words need no quotation marks. */
export const textOf = ({ positionals }: Arguments): string => positionals.join(" ")

export const search = Effect.fnUntraced(function*(args: Arguments) {
  const limit = yield* wholeNumberOf(args, "limit", 1, 100)
  const request = { q: textOf(args), ...sourcesOf(args), ...(limit !== undefined && { limit }) }
  const { ask, client } = yield* workspaceClient(args)
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
