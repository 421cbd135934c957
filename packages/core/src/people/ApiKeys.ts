/** Creates, authenticates and revokes API keys. The secret is shown once and stored as its SHA-256. */
import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import { expiryOf } from "../internal/expiry.ts"
import { lookUp } from "../internal/lookUp.ts"
import { notFound, orNotFound } from "../internal/notFound.ts"
import { keyCreation } from "./accounts/creations.ts"
import { auditing } from "./auditing.ts"
import { makeTrafficCounter } from "./keyTraffic.ts"
import { hashOf, hintOf, isSecret, newSecret } from "../internal/secret.ts"
import { sha256HexNow } from "../internal/sha256.ts"
import { uuid7 } from "../internal/uuid7.ts"
import { type ApiKey, type IssuedApiKey, keyOf, type KeyTraffic, type NewApiKey } from "../model/ApiKey.ts"
import { AuthenticationFailed, type InvalidField, type NotFound, type StorageUnavailable } from "../model/Error.ts"
import { ApiKeyId, parseId, WorkspaceId } from "../model/Id.ts"
import type { Principal } from "../model/Principal.ts"
import { DAY, dayOf } from "../model/Day.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import { ApiKeyStore, type HashedKey } from "../ports/ApiKeyStore.ts"
import { WorkspaceStore } from "../ports/WorkspaceStore.ts"

const TRAFFIC_DAYS = 30

/** A key does not outlive the key that created it. */
const earliest = (one: Date | null, other: Date | null): Date | null =>
  one === null || (other !== null && other < one) ? other : one

export class ApiKeys extends Context.Service<ApiKeys, {
  create(
    workspaceId: string,
    key: NewApiKey,
    by: Principal
  ): Effect.Effect<IssuedApiKey, AuthenticationFailed | InvalidField | NotFound | StorageUnavailable>
  /** A key for a workspace that is still to be created: `Workspaces.createShared` stores it. */
  issue(key: NewApiKey, by: Principal): Effect.Effect<
    { readonly stored: HashedKey; readonly issued: IssuedApiKey },
    AuthenticationFailed | InvalidField | StorageUnavailable
  >
  /** The principal at the start of the chain of keys that created each other. */
  rootCreator(principal: Principal): Effect.Effect<Principal, AuthenticationFailed | StorageUnavailable>
  /**
   * Authenticates a secret as it was sent, not in a `Redacted`: one for each request makes garbage collection slow.
   * Whether the workspace is suspended is checked elsewhere.
   */
  authenticate(secret: string): Effect.Effect<
    { readonly key: ApiKey; readonly workspace: WorkspaceRecord },
    AuthenticationFailed | StorageUnavailable
  >
  list(workspaceId: string): Effect.Effect<ReadonlyArray<ApiKey>, NotFound | StorageUnavailable>
  /** In one workspace, or in any (null). */
  revoke(
    keyId: string,
    within: WorkspaceId | null,
    by: Principal
  ): Effect.Effect<ApiKey, NotFound | StorageUnavailable>
  /** Requests per key and UTC day of the last 30 days, at most a minute late; days without any are left out. */
  traffic(workspaceId: WorkspaceId): Effect.Effect<ReadonlyArray<KeyTraffic>, StorageUnavailable>
}>()("@tributary/core/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function*() {
      const keys = yield* ApiKeyStore
      const workspaces = yield* WorkspaceStore
      const audit = yield* auditing
      const count = yield* makeTrafficCounter

      const findWorkspace = Effect.fnUntraced(function*(workspaceId: string) {
        return yield* orNotFound("workspace", yield* lookUp(WorkspaceId, workspaceId, (id) => workspaces.find(id)))
      })

      /** The acting key, which must be valid; null for a principal that is not a key. */
      const makerOf = Effect.fnUntraced(function*(principal: Principal, now: number) {
        const keyId = keyOf(principal)
        if (keyId === null) return null
        const found = yield* keys.findValid(keyId, new Date(now))
        return (yield* Effect.fromOption(found, () => new AuthenticationFailed())).key
      })

      const rootCreator = Effect.fn("ApiKeys.rootCreator")(function*(principal: Principal) {
        const now = yield* Clock.currentTimeMillis
        let maker = principal
        for (let key = yield* makerOf(maker, now); key !== null; key = yield* makerOf(maker, now)) {
          maker = key.created_by
        }
        return maker
      })

      const issue = Effect.fn("ApiKeys.issue")(function*(wanted: NewApiKey, by: Principal) {
        const now = yield* Clock.currentTimeMillis
        const maker = yield* makerOf(by, now)
        const expires_at = earliest(yield* expiryOf(wanted, now), maker?.expires_at ?? null)
        const secret = newSecret()
        const key: ApiKey = {
          key_id: uuid7<ApiKeyId>(now),
          name: wanted.name,
          hint: hintOf(secret),
          scopes: [...new Set(wanted.scopes)],
          created_at: new Date(now),
          created_by: by,
          last_used_at: null,
          expires_at,
          revoked_at: null
        }
        return { stored: { key, hash: yield* hashOf(secret) }, issued: { ...key, secret: Redacted.value(secret) } }
      })

      const create = Effect.fn("ApiKeys.create")(function*(workspaceId: string, wanted: NewApiKey, by: Principal) {
        const { issued, stored: { hash, key } } = yield* issue(wanted, by)
        const workspace = yield* findWorkspace(workspaceId)
        const inserted = audit(keys.insert(workspace.workspace_id, key, hash), keyCreation(workspace, key))
        if (yield* inserted) return issued
        return yield* keyOf(by) === null ? notFound("workspace") : new AuthenticationFailed()
      })

      // Every request comes here, and a generator would take a third of this time.
      const authenticate = (secret: string) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          if (!isSecret(secret)) return Effect.fail(new AuthenticationFailed())
          return Effect.flatMap(keys.authenticate(sha256HexNow(secret), new Date(now)), (found) => {
            if (Option.isNone(found)) return Effect.fail(new AuthenticationFailed())
            count(found.value.key.key_id, now)
            return Effect.succeed(found.value)
          })
        })

      const list = Effect.fn("ApiKeys.list")(function*(workspaceId: string) {
        const { workspace_id } = yield* findWorkspace(workspaceId)
        return yield* keys.list(workspace_id)
      })

      const revoke = Effect.fn("ApiKeys.revoke")(function*(keyId: string, within: WorkspaceId | null, by: Principal) {
        const id = yield* orNotFound("API key", parseId(ApiKeyId)(keyId))
        const now = new Date(yield* Clock.currentTimeMillis)
        const revoked = audit(keys.revoke(id, within, now), {
          action: "api_key.revoked",
          by,
          in: { account_id: null, workspace_id: within },
          subject: id
        })
        return (yield* orNotFound("API key", yield* revoked)).key
      })

      const traffic = Effect.fn("ApiKeys.traffic")(function*(workspaceId: WorkspaceId) {
        const now = yield* Clock.currentTimeMillis
        return yield* keys.traffic(workspaceId, dayOf(now - (TRAFFIC_DAYS - 1) * DAY))
      })

      return ApiKeys.of({ rootCreator, issue, create, authenticate, list, revoke, traffic })
    })
  )
}
