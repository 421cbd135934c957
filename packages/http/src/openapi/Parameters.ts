/** Adds to every parameter its description, and its default or an example. */
import { DESCRIPTIONS } from "./Descriptions.ts"
import type { JsonObject } from "./Json.ts"

const TEXTS: Readonly<Record<string, string>> = { external_id: "ticket-7", resource: "INBOX" }

const UUID = "5c1d7c1e-2d5a-4d4a-9c59-0b8c4a3b7e21"

export const explained = (parameter: JsonObject, operation: string): JsonObject => {
  const name = String(parameter["name"])
  const { description = "", ...defaulted } = DESCRIPTIONS.operations[operation]?.parameters[name] ?? {}
  return parameter["in"] === "path"
    ? { ...parameter, description, example: TEXTS[name] ?? UUID }
    : { ...parameter, description, schema: { ...parameter["schema"] as JsonObject, ...defaulted } }
}
