/** One migration of the schema. */

export interface Migration {
  readonly name: string
  /**
   * The oldest release, named by the number of its last migration, that still runs on the schema after this step.
   * It moves only when a step takes something away that older releases use.
   */
  readonly oldestCompatible: number
  /** One statement each; `schema` is already quoted. */
  readonly statements: (schema: string) => ReadonlyArray<string>
}
