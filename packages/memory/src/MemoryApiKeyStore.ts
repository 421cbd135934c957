/** API keys in memory. */
import { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import { isFresh } from "@tributary/core/ports/lastUse"
import { Effect, Layer, Option } from "effect"
import { copied } from "./internal/copied.ts"
import { byText } from "./internal/Ordered.ts"
import { State } from "./internal/State.ts"

export const layer = Layer.effect(
  ApiKeyStore,
  Effect.gen(function*() {
    const { addKey, isValid, keys, keysByHash, mayBeMade, revoke, workspaces } = yield* State

    return ApiKeyStore.of({
      insert: (workspaceId, key, hash) =>
        Effect.sync(() => {
          const workspace = workspaces.get(workspaceId)
          if (workspace === undefined || !mayBeMade(key)) return false
          addKey({ hash, workspace, key: copied(key), traffic: new Map() })
          return true
        }),

      authenticate: (hash, now) =>
        Effect.sync(() => {
          const row = keysByHash.get(hash)
          if (row === undefined || !isValid(row.key, now)) return Option.none()
          if (!isFresh(row.key.last_used_at, now)) {
            row.key = { ...row.key, last_used_at: new Date(now) }
          }
          return Option.some({ key: copied(row.key), workspace: copied(row.workspace.record) })
        }),

      findValid: (keyId, now) =>
        Effect.sync(() => {
          const row = keys.get(keyId)
          return row === undefined || !isValid(row.key, now)
            ? Option.none()
            : Option.some({ key: copied(row.key), workspace: copied(row.workspace.record), hash: row.hash })
        }),

      list: (workspaceId) =>
        Effect.sync(() =>
          [...workspaces.get(workspaceId)?.keys.values() ?? []]
            .map(({ key }) => copied(key))
            .sort((left, right) =>
              right.created_at.getTime() - left.created_at.getTime() || byText(right.key_id, left.key_id)
            )
        ),

      revoke: (keyId, within, now) =>
        Effect.sync(() => {
          const row = keys.get(keyId)
          if (row === undefined || (within !== null && row.workspace.record.workspace_id !== within)) {
            return Option.none()
          }
          revoke(row, now)
          return Option.some({ key: copied(row.key), workspace: copied(row.workspace.record) })
        }),

      countRequests: (counts) =>
        Effect.sync(() => {
          for (const { day, key_id, requests } of counts) {
            const traffic = keys.get(key_id)?.traffic
            traffic?.set(day, (traffic.get(day) ?? 0) + requests)
          }
        }),

      traffic: (workspaceId, since) =>
        Effect.sync(() =>
          [...workspaces.get(workspaceId)?.keys.values() ?? []]
            .flatMap(({ key: { key_id }, traffic }) =>
              [...traffic].filter(([day]) => day >= since).map(([day, requests]) => ({ key_id, day, requests }))
            )
            .sort((left, right) => byText(left.key_id, right.key_id) || byText(left.day, right.day))
        ),

      pruneTraffic: (before) =>
        Effect.sync(() => {
          for (const { traffic } of keys.values()) {
            for (const day of traffic.keys()) if (day < before) traffic.delete(day)
          }
        })
    })
  })
)
