/** A problem of a request before it is formatted. */
import type { Schema } from "effect"

export type Location = ReadonlyArray<string | number>

export interface Problem {
  readonly type: string
  readonly loc: Location
  readonly msg: string
  readonly input?: Schema.Json
  readonly ctx?: Schema.JsonObject
}

/** The most problems in one response, to bound its size. */
export const MAX_PROBLEMS = 500
