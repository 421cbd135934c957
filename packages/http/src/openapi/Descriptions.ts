/** The texts of groups, operations, parameters and fields: the comments of their definitions. */
import descriptions from "./descriptions.json" with { type: "json" }
import type { Json } from "./Json.ts"

interface Description {
  readonly default?: Json
  readonly description: string
}

interface Operation {
  readonly summary: string
  readonly description: string
  readonly parameters: Readonly<Record<string, Description>>
}

interface Descriptions {
  readonly groups: Readonly<Record<string, string>>
  readonly operations: Readonly<Record<string, Operation>>
  /** The fields of a schema by their path, such as `entity.quote`. */
  readonly schemas: Readonly<Record<string, Readonly<Record<string, Description>>>>
}

/** Gathered by `npm run openapi`. */
export const DESCRIPTIONS: Descriptions = descriptions
