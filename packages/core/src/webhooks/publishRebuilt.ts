/** Publishes that a workspace's context was rebuilt. */
import { Clock, Effect } from "effect"
import type { JobId, WorkspaceId } from "../model/Id.ts"
import { KnowledgeStore } from "../ports/KnowledgeStore.ts"
import { derivedId } from "./messages.ts"
import { publish } from "./publish.ts"

const rebuilt = Effect.fnUntraced(function*(workspaceId: WorkspaceId, jobId: JobId) {
  const { snapshot } = yield* (yield* KnowledgeStore).head(workspaceId)
  return snapshot && {
    id: derivedId(`context.rebuilt ${jobId}`),
    subject: "context",
    at: new Date(yield* Clock.currentTimeMillis),
    data: {
      snapshot_id: snapshot.snapshot_id,
      built_at: snapshot.built_at.toISOString(),
      watermark: snapshot.watermark?.toISOString() ?? null
    }
  }
})

export const publishRebuilt = (workspaceId: WorkspaceId, jobId: JobId) =>
  publish(workspaceId, "context.rebuilt", rebuilt(workspaceId, jobId))
