/** The log of operators as a hash chain. */
import { Schema, Struct } from "effect"
import { canonicalJson } from "../internal/canonicalJson.ts"
import { sha256HexNow } from "../internal/sha256.ts"
import { type OperatorAct, OperatorLogEntry } from "../model/OperatorLogEntry.ts"
import type { LogLink } from "../ports/OperatorStore.ts"

type Place = Pick<OperatorLogEntry, "sequence" | "hash">

/** The hash before the first entry. */
const BEGINNING: Place = { sequence: 0, hash: "0".repeat(64) }

const encode = Schema.encodeSync(OperatorLogEntry.mapFields(Struct.omit(["hash"])))
const decode = Schema.decodeUnknownSync(Schema.fromJsonString(OperatorLogEntry.mapFields(Struct.omit(["hash"]))))

const linked = (entry: Omit<OperatorLogEntry, "hash">): LogLink => {
  const content = canonicalJson(encode(entry))
  return { sequence: entry.sequence, content, hash: sha256HexNow(content) }
}

export const linkAfter = (previous: Place = BEGINNING, act: OperatorAct): LogLink =>
  linked({ ...act, sequence: previous.sequence + 1, previous_hash: previous.hash })

export const toEntry = ({ content, hash }: LogLink): OperatorLogEntry => ({ ...decode(content), hash })

/** Why an entry does not continue the chain, as a sentence; null if it does. */
export const chainProblem = (previous: Place = BEGINNING, entry: OperatorLogEntry): string | null => {
  const { hash, ...rest } = entry
  const expected = previous.sequence + 1
  if (entry.sequence !== expected) return `Entry ${expected} is missing: entry ${entry.sequence} is in its place.`
  if (entry.previous_hash !== previous.hash) {
    return `Entry ${entry.sequence} does not follow entry ${previous.sequence}: one of them was replaced.`
  }
  return linked(rest).hash === hash ? null : `Entry ${entry.sequence} was changed: its hash is another one.`
}
