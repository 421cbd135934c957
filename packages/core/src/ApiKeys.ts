/** Issuing, checking and revoking API keys. The secret is shown once and kept as its SHA-256. */
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { absent } from "./internal/absent.ts"
import { hashOf, hintOf, isSecret, newSecret } from "./internal/secret.ts"
import { uuid7 } from "./internal/uuid7.ts"
import type { ApiKey, IssuedApiKey, NewApiKey } from "./model/ApiKey.ts"
import { AuthenticationFailed, type NotFound, type StorageUnavailable } from "./model/Error.ts"
import { ApiKeyId, parseId, WorkspaceId } from "./model/Id.ts"
import type { Principal } from "./model/Principal.ts"
import type { WorkspaceRecord } from "./model/Workspace.ts"
import { ApiKeyStore } from "./ports/ApiKeyStore.ts"
import { WorkspaceStore } from "./ports/WorkspaceStore.ts"

export class ApiKeys extends Context.Service<ApiKeys, {
  create(workspaceId: string, key: NewApiKey, by: Principal): Effect.Effect<IssuedApiKey, NotFound | StorageUnavailable>
  /** Whose key it is, from the whole secret. A suspended workspace is not judged here. */
  authenticate(secret: Redacted.Redacted): Effect.Effect<
    { readonly key: ApiKey; readonly workspace: WorkspaceRecord },
    AuthenticationFailed | StorageUnavailable
  >
  list(workspaceId: string): Effect.Effect<ReadonlyArray<ApiKey>, NotFound | StorageUnavailable>
  revoke(keyId: string): Effect.Effect<ApiKey, NotFound | StorageUnavailable>
}>()("@tributary/core/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function*() {
      const keys = yield* ApiKeyStore
      const workspaces = yield* WorkspaceStore

      const findWorkspace = Effect.fnUntraced(function*(workspaceId: string) {
        const id = yield* absent(parseId(WorkspaceId)(workspaceId))
        return yield* absent(yield* workspaces.find(id))
      })

      const create = Effect.fn("ApiKeys.create")(function*(workspaceId: string, wanted: NewApiKey, by: Principal) {
        const { workspace_id } = yield* findWorkspace(workspaceId)
        const now = yield* Clock.currentTimeMillis
        const secret = newSecret()
        const key: ApiKey = {
          key_id: ApiKeyId.make(uuid7(now)),
          name: wanted.name,
          hint: hintOf(secret),
          scopes: [...new Set(wanted.scopes)],
          created_at: new Date(now),
          created_by: by,
          last_used_at: null,
          expires_at: wanted.expires_at ?? null,
          revoked_at: null
        }
        yield* keys.insert(workspace_id, key, yield* hashOf(secret))
        return { ...key, secret: Redacted.value(secret) }
      })

      const authenticate = Effect.fnUntraced(function*(secret: Redacted.Redacted) {
        if (!isSecret(secret)) return yield* new AuthenticationFailed()
        const found = yield* keys.authenticate(yield* hashOf(secret), new Date(yield* Clock.currentTimeMillis))
        return yield* Effect.fromOption(found, () => new AuthenticationFailed())
      })

      const list = Effect.fn("ApiKeys.list")(function*(workspaceId: string) {
        const { workspace_id } = yield* findWorkspace(workspaceId)
        return yield* keys.list(workspace_id)
      })

      const revoke = Effect.fn("ApiKeys.revoke")(function*(keyId: string) {
        const id = yield* absent(parseId(ApiKeyId)(keyId))
        return yield* absent(yield* keys.revoke(id, new Date(yield* Clock.currentTimeMillis)))
      })

      return ApiKeys.of({ create, authenticate, list, revoke })
    })
  )
}
