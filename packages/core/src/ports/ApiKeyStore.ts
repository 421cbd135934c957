/** API keys by the SHA-256 of their secret. */
import { Context, type Option } from "effect"
import type { ApiKey, Day, KeyTraffic } from "../model/ApiKey.ts"
import type { ApiKeyId, WorkspaceId } from "../model/Id.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import type { Stored } from "./Storage.ts"

/** The secret's SHA-256, as 64 lower-case hexadecimal digits. */
export type SecretHash = string

/** A key as it is stored. */
export interface HashedKey {
  readonly key: ApiKey
  readonly hash: SecretHash
}

export class ApiKeyStore extends Context.Service<ApiKeyStore, {
  /**
   * Stores the key. Returns whether it is valid now: false if the workspace is absent, or if the key that created it is
   * absent, revoked, or had expired at its creation. Exact even during a concurrent revocation.
   */
  insert(workspaceId: WorkspaceId, key: ApiKey, hash: SecretHash): Stored<boolean>
  /**
   * The key and its workspace, if the key is neither revoked nor expired at `now`. Sets `last_used_at` to `now` unless it is one
   * of `freshTimes`, if the storage can write. Sees every acknowledged revocation.
   */
  authenticate(hash: SecretHash, now: Date): Stored<
    Option.Option<{ readonly key: ApiKey; readonly workspace: WorkspaceRecord }>
  >
  /**
   * The same by the key's id, with the hash of its secret, and without `last_used_at`. The caller is not authenticated
   * yet.
   */
  findValid(keyId: ApiKeyId, now: Date): Stored<
    Option.Option<{ readonly key: ApiKey; readonly workspace: WorkspaceRecord; readonly hash: SecretHash }>
  >
  /** Newest first, revoked ones included. */
  list(workspaceId: WorkspaceId): Stored<ReadonlyArray<ApiKey>>
  /**
   * Revokes a key, and recursively the keys that it created, in every workspace. Returns the key and its workspace.
   * Repeating it keeps the first time. None if the workspace has no such key, or no workspace does (null).
   */
  revoke(keyId: ApiKeyId, within: WorkspaceId | null, now: Date): Stored<
    Option.Option<{ readonly key: ApiKey; readonly workspace: WorkspaceRecord }>
  >
  /** Adds to the counts of days. Absent keys are ignored. `counts` has each key and day at most once. */
  countRequests(counts: ReadonlyArray<KeyTraffic>): Stored<void>
  /** The counts of the workspace's keys from a day on, by key, then by day, ascending. */
  traffic(workspaceId: WorkspaceId, since: Day): Stored<ReadonlyArray<KeyTraffic>>
  /** Deletes the counts of days before `day`. */
  pruneTraffic(day: Day): Stored<void>
}>()("@tributary/core/ports/ApiKeyStore") {}
