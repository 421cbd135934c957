/** Publishes that a sync failed, or holds deletions until they are confirmed. */
import { Clock, Effect } from "effect"
import type { WorkspaceId } from "../model/Id.ts"
import type { Connection } from "../model/Connection.ts"
import type { SyncSummary } from "../ports/ConnectionStore.ts"
import { derivedId } from "./messages.ts"
import { publish } from "./publish.ts"

type Synced = Pick<SyncSummary, "attempt" | "connection_id" | "job_id" | "resource">

type Source = Pick<Connection, "name" | "provider">

const publishSync = (type: "sync.failed" | "sync.held", fields: (state: Synced) => Readonly<Record<string, unknown>>) =>
  Effect.fnUntraced(function*(workspaceId: WorkspaceId, { name, provider }: Source, state: Synced) {
    const { attempt, connection_id, job_id, resource } = state
    const event = {
      id: derivedId(`${type} ${job_id} ${attempt}`),
      subject: `${connection_id}/${resource}`,
      at: new Date(yield* Clock.currentTimeMillis),
      data: { connection_id, provider, name, resource, ...fields(state) }
    }
    yield* publish(workspaceId, type, Effect.succeed(event))
  })

/** Published before the failure is stored: after a crash in between, the sync runs again and publishes its result. */
export const publishFailure = (error: string) => publishSync("sync.failed", ({ attempt }) => ({ attempt, error }))

export const publishHeld = (deletions_held: number) => publishSync("sync.held", () => ({ deletions_held }))
