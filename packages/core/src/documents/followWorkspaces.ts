/** The events of several workspaces in one stream, for a user: a browser opens few connections to a server. */
import { Effect, Stream } from "effect"
import { PermissionDenied } from "../model/Error.ts"
import type { User } from "../model/Person.ts"
import { People } from "../people/People.ts"
import { Documents } from "./Documents.ts"

interface Followed {
  readonly workspace_id: string
  /** The number of the last known event; null for new ones only. */
  readonly after: number | null
}

const EVERYTHING = { source: null, kind: null, document_id: null }

export const followWorkspaces = Effect.gen(function*() {
  const documents = yield* Documents
  const people = yield* People

  /** A workspace that may not be read is left out, unless all are. `access` fails once one that is followed may not. */
  return Effect.fn("followWorkspaces")(function*(user: User, followed: ReadonlyArray<Followed>) {
    const found = yield* Effect.forEach(followed, ({ after, workspace_id }) =>
      people.readable(user, workspace_id).pipe(
        Effect.map((workspace) => [{ after, workspace_id: workspace.workspace_id }]),
        Effect.catchTag("permission_denied", () => Effect.succeed([]))
      ))
    const allowed = found.flat()
    if (allowed.length === 0) return yield* new PermissionDenied()
    const streams = yield* Effect.forEach(allowed, ({ after, workspace_id }) =>
      Effect.map(
        documents.watch(workspace_id, EVERYTHING, after),
        Stream.flatMap((batch) => Stream.fromIterable(batch.map((numbered) => ({ workspace_id, ...numbered }))))
      ))
    return {
      events: Stream.mergeAll(streams, { concurrency: "unbounded" }),
      access: Effect.forEach(allowed, ({ workspace_id }) => people.readable(user, workspace_id), { discard: true })
    }
  })
})
