/** The use of a workspace's plan. */
import { Context, Effect, Layer } from "effect"
import type { StorageUnavailable } from "../model/Error.ts"
import { meter, type Usage } from "../model/Usage.ts"
import { limitsFor, type WorkspaceRecord } from "../model/Workspace.ts"
import { DocumentStore } from "../ports/DocumentStore.ts"
import { RateLimits } from "./RateLimits.ts"

export class Meters extends Context.Service<Meters, {
  current(workspace: WorkspaceRecord): Effect.Effect<Omit<Usage, "scopes">, StorageUnavailable>
}>()("@tributary/core/Meters") {
  static readonly layer = Layer.effect(
    Meters,
    Effect.gen(function*() {
      const documents = yield* DocumentStore
      const rateLimits = yield* RateLimits

      const current = Effect.fn("Meters.current")(function*(workspace: WorkspaceRecord) {
        const used = yield* documents.meters(workspace.workspace_id)
        const limits = limitsFor(workspace)
        return {
          workspace_id: workspace.workspace_id,
          entitlements: {
            tier: workspace.tier,
            documents: meter(used.documents, limits.documents),
            storage: meter(used.storage, limits.storage)
          },
          rate_limits: yield* rateLimits.windows(workspace)
        }
      })

      return Meters.of({ current })
    })
  )
}
