/**
 * Operators by the SHA-256 of their token, and the log of their actions. Optional: without it, the operator that the
 * host authenticates is the only one, and nothing is logged.
 */
import { Context, type Option } from "effect"
import type { OperatorId } from "../model/Id.ts"
import type { Operator } from "../model/Operator.ts"
import type { SecretHash } from "./ApiKeyStore.ts"
import type { Stored } from "./Storage.ts"

/** An entry of the log in its hashed form. */
export interface LogLink {
  /** From 1, without gaps. */
  readonly sequence: number
  readonly content: string
  /** 64 lower-case hexadecimal digits. */
  readonly hash: string
}

export class OperatorStore extends Context.Service<OperatorStore, {
  insert(operator: Operator, hash: SecretHash): Stored<void>
  /** Including expired ones. Sees every acknowledged removal. */
  find(hash: SecretHash): Stored<Option.Option<Operator>>
  /** By id, descending (so newest first); at most `limit`. */
  list(limit: number): Stored<ReadonlyArray<Operator>>
  /** None if it is absent. */
  remove(operatorId: OperatorId): Stored<Option.Option<Operator>>
  /** The last entry of the log. */
  readonly lastLink: Stored<Option.Option<LogLink>>
  /** False, without a change, if an entry has this sequence already, so that the log never forks. */
  append(link: LogLink): Stored<boolean>
  /** By sequence, ascending, after the given one. */
  links(after: number, limit: number): Stored<ReadonlyArray<LogLink>>
}>()("@tributary/core/ports/OperatorStore") {}
