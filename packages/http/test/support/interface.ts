/** The numbered rules of interface.md and the rows of its tables, by section. */
import { assert, describe, it } from "@effect/vitest"
import type { Effect, Scope } from "effect"

export const INTERFACE = {
  // Resources and their fields
  "Knowledge settings": ["temporal_settings"],
  KnowledgeTemporalSettings: ["start", "end", "no other fields", "default range", "discriminator"],
  RelativeBound: ["type", "days", "no other fields"],
  DateBound: ["type", "date", "no other fields"],
  "Custom connector": [
    "connector_id",
    "name",
    "source_name",
    "created_at",
    "created_by",
    "is_active",
    "accepted_kinds",
    "metadata"
  ],
  "Deactivation result": ["status", "connector_id"],
  "Ask job": ["list", "individual"],
  "Knowledge status": ["up_to_date"],
  "Usage entitlements": ["tier", "documents", "storage"],
  Meter: ["used", "limit", "fraction_used", "state"],
  "Ingest result": ["status", "events", "external_ids", "rejected"],
  "Rejected item": ["external_id", "resource", "reason"],

  // States and transitions
  "Custom connector states": ["active to deactivated"],
  "Knowledge context states": ["any to rebuilding", "rebuilding to up to date", "any to unchanged"],
  "Usage meter state": ["ok", "approaching", "exceeded"],

  // Endpoints
  "PATCH /v1/knowledge/settings": [
    "temporal_settings",
    "no other fields",
    "rule 1",
    "rule 2",
    "rule 3",
    "rule 4",
    "rule 5",
    "rule 6",
    "200",
    "400",
    "401",
    "403",
    "422",
    "500",
    "503"
  ],
  "PATCH /v1/custom-connectors/{connector_id}": [
    "name",
    "accepted_kinds",
    "metadata",
    "is_active",
    "source_name",
    "success",
    "401",
    "403",
    "unknown connector",
    "422",
    "500"
  ],
  "DELETE /v1/custom-connectors/{connector_id}": ["success", "401", "403", "unknown connector", "422", "500"],
  "GET /v1/knowledge/ask/jobs": ["newest first", "success", "401", "403", "500", "503"],
  "GET /v1/usage/current": ["entitlements", "uncapped"],
  "Other operations": ["status", "refresh", "ask", "search", "ingest"],

  Authentication: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
  Events: ["1", "2", "3", "4", "5"],

  // Errors
  "Standard error body": ["error_code", "message", "details"],
  "Error codes": [
    "bad_request",
    "authentication_error",
    "quota_exceeded",
    "permission_denied",
    "insufficient_scopes",
    "client_not_found",
    "unprocessable_entity",
    "(validation)",
    "rate_limit_exceeded",
    "internal_server_error",
    "service_unavailable"
  ],
  "Rate-limit error (429)": ["1", "2", "3", "4"],
  "Quota errors": ["1", "2", "3"],

  // Limits
  "Free plan": ["ask", "search", "refresh", "documents", "storage", "doc_size", "shared workspaces", "snapshots"],
  Rules: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],

  Versioning: ["1", "2", "3"]
} as const

type Section = keyof typeof INTERFACE

type Test = readonly [sentence: string, test: () => Effect.Effect<void, unknown, Scope.Scope>]

/** Tests of a section, one for every rule and row of it: that none is missing is a matter of types, and of a test. */
export const section = <Name extends Section>(
  name: Name,
  tests: Readonly<Record<(typeof INTERFACE)[Name][number], Test>>
): void => {
  describe(`interface.md, ${name}`, () => {
    it("has a test for every rule and row", () => {
      assert.sameMembers(Object.keys(tests), [...INTERFACE[name]])
    })
    for (const [rule, [sentence, test]] of Object.entries<Test>(tests)) it.effect(`${rule}: ${sentence}`, test)
  })
}
