/** Encrypts the secrets of connections and webhooks again with the first key. */
import { Effect } from "effect"
import type { Rewrapped } from "../model/Connection.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { type ConnectionRecord, ConnectionStore } from "../ports/ConnectionStore.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import { WorkspaceStore } from "../ports/WorkspaceStore.ts"
import { rewrapWebhook } from "../webhooks/webhookSecrets.ts"
import { webhookStore } from "../webhooks/webhookStore.ts"
import { placeOf, rewrapSecret } from "../secrets/rewrapSecret.ts"
import type { Sealed } from "../secrets/SecretBox.ts"

const PAGE = 500

/** One connection. Returns whether it was necessary. */
export const rewrap = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, { connection_id, secrets }: ConnectionRecord) {
    if (secrets === null) return false
    const store = yield* ConnectionStore
    return yield* rewrapSecret({
      sealed: secrets,
      place: placeOf(workspaceId, connection_id),
      replace: (before, after) => store.reseal(workspaceId, connection_id, before, after)
    })
  }
)

const counted = <E, R>(rewrapped: Effect.Effect<boolean, E | Sealed, R>) =>
  rewrapped.pipe(
    Effect.map((isNew): keyof Rewrapped => isNew ? "rewrapped" : "current"),
    Effect.catchTag("Sealed", () => Effect.succeed<keyof Rewrapped>("unreadable"))
  )

/** All workspaces. Secrets that cannot be decrypted are counted and left unchanged. */
export const rewrapAll = Effect.gen(function*() {
  const workspaces = yield* WorkspaceStore
  const connections = yield* ConnectionStore
  const webhooks = yield* webhookStore
  const counts = { rewrapped: 0, current: 0, unreadable: 0 }
  let after: WorkspaceId | null = null
  while (true) {
    const page: ReadonlyArray<WorkspaceRecord> = yield* workspaces.list({ accountId: null, after, limit: PAGE })
    for (const { workspace_id } of page) {
      const withSecrets = (yield* connections.list(workspace_id)).filter(({ secrets }) => secrets !== null)
      for (const connection of withSecrets) counts[yield* counted(rewrap(workspace_id, connection))]++
      for (const webhook of yield* webhooks.list(workspace_id)) {
        counts[yield* counted(rewrapWebhook(workspace_id, webhook))]++
      }
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return counts
    after = last.workspace_id
  }
})
