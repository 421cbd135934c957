/** One live stream for all tabs of a browser, which opens few connections to a server, whatever workspaces they show. */
import type { Documents } from "@tributary/core/Documents"
import { PermissionDenied, type StorageUnavailable } from "@tributary/core/model/Error"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import { Effect, Stream } from "effect"
import { EventStream } from "../response/EventStreams.ts"

interface Followed {
  readonly workspace_id: string
  readonly after: number | null
}

/** The workspace, if its content may be read. */
type Readable = (workspaceId: string) => Effect.Effect<WorkspaceRecord, PermissionDenied | StorageUnavailable>

const EVERYTHING = { source: null, kind: null, document_id: null }

/** A workspace that may not be read is left out, so that the other tabs still get theirs. */
export const followEvents = Effect.fnUntraced(
  function*(documents: Documents["Service"], readable: Readable, followed: ReadonlyArray<Followed>) {
    const found = yield* Effect.forEach(followed, ({ after, workspace_id }) =>
      readable(workspace_id).pipe(
        Effect.map((workspace) => [{ after, workspace_id: workspace.workspace_id }]),
        Effect.catchTag("permission_denied", () => Effect.succeed([]))
      ))
    const allowed = found.flat()
    if (allowed.length === 0) return yield* new PermissionDenied()
    const streams = yield* Effect.forEach(allowed, ({ after, workspace_id }) =>
      Effect.map(
        documents.watch(workspace_id, EVERYTHING, after),
        Stream.flatMap((batch) =>
          Stream.fromIterable(
            batch.map(({ event, seq }) => ({ event: "change", data: { workspace_id, number: seq, event } }))
          )
        )
      ))
    const access = Effect.forEach(allowed, ({ workspace_id }) => readable(workspace_id), { discard: true })
    return new EventStream(Stream.mergeAll(streams, { concurrency: "unbounded" }), access)
  }
)
