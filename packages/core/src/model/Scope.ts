/** What a key may do. */
import { Schema } from "effect"

const FINE = [
  "audit:read",
  "connections:read",
  "connections:write",
  "knowledge:read",
  "knowledge:write",
  "custom_connectors:read",
  "custom_connectors:write",
  "custom_connectors:ingest",
  "runtime:read",
  "workspaces:read",
  "workspaces:write"
] as const

/** The scope that an operation asks for. */
export const FineScope = Schema.Literals(FINE)
export type FineScope = typeof FineScope.Type

/** The scope that a key carries: a fine one, or an umbrella over many. */
export const Scope = Schema.Literals([...FINE, "api:read", "api:write"])
export type Scope = typeof Scope.Type

/** What the host itself may do. */
export const EVERYTHING = ["api:read", "api:write", "audit:read"] as const satisfies ReadonlyArray<Scope>

/**
 * `api:read` covers every `:read` but `audit:read`, which shows what people do and where from; `api:write` covers every
 * `:write` and `:ingest`. A `:write` does not imply its `:read`.
 */
export const covers = (granted: ReadonlyArray<Scope>, required: FineScope): boolean =>
  granted.includes(required) ||
  required !== "audit:read" && granted.includes(required.endsWith(":read") ? "api:read" : "api:write")

/** Whether a key with `granted` may create a key with `wanted`. */
export const coversAll = (granted: ReadonlyArray<Scope>, wanted: ReadonlyArray<Scope>): boolean =>
  wanted.every((scope) =>
    scope === "api:read" || scope === "api:write" ? granted.includes(scope) : covers(granted, scope)
  )

/** Whether a filter of documents narrows what the scope shows: all but writes, and the audit log. */
export const isNarrowed = (scope: Scope): boolean => scope.endsWith(":read") && scope !== "audit:read"
