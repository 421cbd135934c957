/**
 * An answer may be read after documents that it quotes were deleted, or changed so that the filter of the token
 * does not show them any more. What it quotes of them is not shown.
 */
import { Effect, Struct } from "effect"
import { ofIds } from "../documents/documentSelection.ts"
import type { WorkspaceId } from "../model/Id.ts"
import type { Answer } from "../model/Ask.ts"
import { CurrentTokenFilter } from "../people/CurrentTokenFilter.ts"
import { DocumentStore } from "../ports/DocumentStore.ts"

const WITHHELD = "This answer is withheld, because documents that it quotes have been deleted. Ask again."

/** The response is withheld as a whole: no part of it is certain to say nothing of a deleted document. */
export const withoutDeleted = Effect.fnUntraced(function*(workspaceId: WorkspaceId, answer: Answer) {
  const quoted = [...answer.citations, ...answer.related ?? []].map(({ entity }) => entity.id)
  if (quoted.length === 0) return answer
  const filter = { ...ofIds(quoted), shownTo: yield* CurrentTokenFilter }
  const versions = yield* (yield* DocumentStore).matching(workspaceId, filter, quoted.length)
  const stored = new Set(versions.map(({ document_id }) => document_id))
  if (quoted.every((id) => stored.has(id))) return answer

  const related = (answer.related ?? []).filter(({ entity }) => stored.has(entity.id))
  const isWhole = answer.citations.every(({ entity }) => stored.has(entity.id))
  return {
    ...Struct.omit(answer, ["related"]),
    ...(isWhole ? {} : { response: WITHHELD, citations: [], answered: false }),
    ...(related.length === 0 ? {} : { related })
  }
})
