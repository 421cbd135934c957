/** API keys by the SHA-256 of their secret. */
import { Context, type Option } from "effect"
import type { ApiKey, Day, KeyTraffic } from "../model/ApiKey.ts"
import type { ApiKeyId, WorkspaceId } from "../model/Id.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import type { Stored } from "./Storage.ts"

/** The secret's SHA-256, as 64 lower-case hexadecimal digits. */
export type SecretHash = string

export class ApiKeyStore extends Context.Service<ApiKeyStore, {
  /**
   * Says whether the key is there now: not in a workspace that is absent, nor when a key made it that was revoked or had
   * expired when it was created, or is absent. Exact while that one is being revoked.
   */
  insert(workspaceId: WorkspaceId, key: ApiKey, hash: SecretHash): Stored<boolean>
  /**
   * The key and its workspace, when the key is neither revoked nor expired at `now`; `last_used_at` moves to `now`
   * when it lies more than a minute back. Sees every revocation that was answered before.
   */
  authenticate(hash: SecretHash, now: Date): Stored<
    Option.Option<{ readonly key: ApiKey; readonly workspace: WorkspaceRecord }>
  >
  /** The same by the key's id, with the hash of its secret; `last_used_at` stays. The one who asks has proved nothing yet. */
  findValid(keyId: ApiKeyId, now: Date): Stored<
    Option.Option<{ readonly key: ApiKey; readonly workspace: WorkspaceRecord; readonly hash: SecretHash }>
  >
  /** Newest first, revoked ones included. */
  list(workspaceId: WorkspaceId): Stored<ReadonlyArray<ApiKey>>
  /**
   * The key and its workspace. The keys that it made are revoked with it, in every workspace, and those that they made.
   * Revoking again keeps the first moment. None when there is no such key in the workspace, or in any (null).
   */
  revoke(keyId: ApiKeyId, within: WorkspaceId | null, now: Date): Stored<
    Option.Option<{ readonly key: ApiKey; readonly workspace: WorkspaceRecord }>
  >
  /** Adds to the counts of days; a key that is absent is passed over. A key and day stands there once. */
  countRequests(counts: ReadonlyArray<KeyTraffic>): Stored<void>
  /** What was counted for the workspace's keys on and after a day, by key and then by day, ascending. */
  traffic(workspaceId: WorkspaceId, since: Day): Stored<ReadonlyArray<KeyTraffic>>
  /** Forgets the counts of days before `day`. */
  pruneTraffic(day: Day): Stored<void>
}>()("@tributary/core/ports/ApiKeyStore") {}
