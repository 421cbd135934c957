/** The texts of groups, operations, parameters and fields: the comments of their definitions. */
import descriptions from "./descriptions.json" with { type: "json" }

type Texts = Readonly<Record<string, string>>

interface Descriptions {
  readonly groups: Texts
  readonly operations: Readonly<
    Record<string, { readonly summary: string; readonly description: string; readonly parameters: Texts }>
  >
  /** The fields of a schema by their path, such as `entity.quote`. */
  readonly schemas: Readonly<Record<string, Texts>>
}

/** Gathered by `npm run openapi`. */
export const DESCRIPTIONS: Descriptions = descriptions
