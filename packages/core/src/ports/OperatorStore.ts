/**
 * Operators by the SHA-256 of their token, and the log of what they did. A backend may leave this port out: then the
 * operator whom the host lets in is the only one, and nothing is logged.
 */
import { Context, type Option } from "effect"
import type { OperatorId } from "../model/Id.ts"
import type { Operator } from "../model/Operator.ts"
import type { SecretHash } from "./ApiKeyStore.ts"
import type { Stored } from "./Storage.ts"

/** An entry of the log as it was hashed. */
export interface LogLink {
  /** From 1, without gaps. */
  readonly sequence: number
  readonly content: string
  /** 64 lower-case hexadecimal digits. */
  readonly hash: string
}

export class OperatorStore extends Context.Service<OperatorStore, {
  insert(operator: Operator, hash: SecretHash): Stored<void>
  /** Expired ones, too. Sees every removal that was answered before. */
  find(hash: SecretHash): Stored<Option.Option<Operator>>
  /** By id, descending (so newest first); at most `limit`. */
  list(limit: number): Stored<ReadonlyArray<Operator>>
  /** None when it is absent. */
  remove(operatorId: OperatorId): Stored<Option.Option<Operator>>
  /** The last link of the log. */
  readonly lastLink: Stored<Option.Option<LogLink>>
  /** False, and nothing is written, when a link has this sequence already: so a log never forks. */
  append(link: LogLink): Stored<boolean>
  /** By sequence, ascending, after the given one. */
  links(after: number, limit: number): Stored<ReadonlyArray<LogLink>>
}>()("@tributary/core/ports/OperatorStore") {}
