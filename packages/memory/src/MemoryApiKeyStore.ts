/** API keys in memory. */
import { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import { Effect, Layer, Option } from "effect"
import { copied } from "./internal/copied.ts"
import { byText } from "./internal/Ordered.ts"
import { State } from "./internal/State.ts"

const MINUTE = 60_000

export const layer = Layer.effect(
  ApiKeyStore,
  Effect.gen(function*() {
    const { addKey, keys, keysByHash, workspaces } = yield* State

    return ApiKeyStore.of({
      insert: (workspaceId, key, hash) =>
        Effect.sync(() => {
          const workspace = workspaces.get(workspaceId)
          if (workspace !== undefined) addKey({ hash, workspace, key: copied(key) })
        }),

      authenticate: (hash, now) =>
        Effect.sync(() => {
          const row = keysByHash.get(hash)
          if (row === undefined || row.key.revoked_at !== null) return Option.none()
          if (row.key.expires_at !== null && row.key.expires_at <= now) return Option.none()
          if (row.key.last_used_at === null || now.getTime() - row.key.last_used_at.getTime() > MINUTE) {
            row.key = { ...row.key, last_used_at: new Date(now) }
          }
          return Option.some({ key: copied(row.key), workspace: copied(row.workspace.record) })
        }),

      list: (workspaceId) =>
        Effect.sync(() =>
          [...workspaces.get(workspaceId)?.keys.values() ?? []]
            .map(({ key }) => copied(key))
            .sort((left, right) =>
              right.created_at.getTime() - left.created_at.getTime() || byText(right.key_id, left.key_id)
            )
        ),

      revoke: (keyId, now) =>
        Effect.sync(() => {
          const row = keys.get(keyId)
          if (row === undefined) return Option.none()
          row.key = { ...row.key, revoked_at: row.key.revoked_at ?? new Date(now) }
          return Option.some(copied(row.key))
        })
    })
  })
)
