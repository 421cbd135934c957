/** Descriptions of fields by their path in a schema. */

export type Words = Readonly<Record<string, string>>

export const PRINCIPAL: Words = {
  "created_by.type": "Whether a person or a key.",
  "created_by.id": "The person's id, or the key's."
}
