/** A fault of a request before it is worded for the wire. */
import type { Schema } from "effect"

export type Location = ReadonlyArray<string | number>

export interface Problem {
  readonly type: string
  readonly loc: Location
  readonly msg: string
  readonly input?: Schema.Json
  readonly ctx?: Schema.JsonObject
}

/** No more problems of one request than this are told: nobody reads more, and an answer has to end. */
export const MAX_PROBLEMS = 500
