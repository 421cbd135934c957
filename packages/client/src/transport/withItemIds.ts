/**
 * Gives every item an id before its first attempt: an item that is sent twice because its answer was lost is then one
 * document, not two.
 */
import { newId } from "../newId.ts"

interface Identifiable {
  readonly external_id?: string | null
}

// What is no item, or no list of them, is left for the schema to refuse.
const isAnonymous = (item: Identifiable): boolean =>
  typeof item === "object" && item !== null && (item.external_id === null || item.external_id === undefined)

export const withItemIds = <Item extends Identifiable>(items: ReadonlyArray<Item>): ReadonlyArray<Item> =>
  Array.isArray(items) ? items.map((item) => isAnonymous(item) ? { ...item, external_id: newId() } : item) : items
