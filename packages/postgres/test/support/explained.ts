/** A pool that records the plan of every statement, also of those within functions, with the server's generic plans. */
import { PgClient } from "@effect/sql-pg"
import { Redacted } from "effect"
import { connect, type Socket } from "node:net"

export interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Index Cond"?: string
  readonly "Recheck Cond"?: string
  readonly Filter?: string
  readonly "Sort Key"?: ReadonlyArray<string>
  readonly Plans?: ReadonlyArray<Plan>
}

export interface Explained {
  readonly "Query Text": string
  readonly Plan: Plan
}

/** The plans that the server reports for every statement, alone or inside a function. */
export const SETTINGS = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_nested_statements": "on",
  "auto_explain.log_format": "json",
  "auto_explain.log_level": "notice",
  // From version 16 on, parameters are reported as well, and some are long.
  "auto_explain.log_parameter_max_length": "0",
  // As after five executions, when a plan no longer depends on parameters.
  plan_cache_mode: "force_generic_plan"
}

const NOTICE = "N".charCodeAt(0)

/** Reads the notices in what a server sends: each message is a letter and a length, which counts itself. */
const readNotices = (heard: (text: string) => void) => {
  let rest = Buffer.alloc(0)
  return (bytes: Buffer): void => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= 5) {
      const end = 1 + rest.readUInt32BE(1)
      if (rest.length < end) return
      if (rest[0] === NOTICE) heard(rest.toString("utf8", 5, end))
      rest = rest.subarray(end)
    }
  }
}

export const explainingPool = (
  url: string,
  explained: (one: Explained) => void,
  startupParameters: Readonly<Record<string, string>> = SETTINGS
) => {
  const { hostname, port } = new URL(url)
  const heard = (notice: string): void => {
    const [, plan] = /\0M[^\0]* plan:\n(\{[^\0]*\})\0/.exec(notice) ?? []
    if (plan !== undefined) explained(JSON.parse(plan))
  }
  const stream = (): Socket => connect(Number(port), hostname).on("data", readNotices(heard))
  return PgClient.layer({ url: Redacted.make(url), maxConnections: 10, stream, startupParameters })
}
