/**
 * Gives every item an id before its first attempt: an item that is sent twice because its answer was lost is then one
 * document, not two.
 */
import { newId } from "../newId.ts"

interface Identifiable {
  readonly external_id?: string | null
}

export const withItemIds = <Item extends Identifiable>(items: ReadonlyArray<Item>): ReadonlyArray<Item> =>
  items.map((item) =>
    item.external_id === null || item.external_id === undefined
      ? { ...item, external_id: newId() }
      : item
  )
