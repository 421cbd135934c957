/** Validates a large list body item by item, with the same result as for the whole, and pauses in between. */
import { Result, type Schema } from "effect"
import type { PartDecoder } from "@tributary/core/validation/Part"
import { MAX_PROBLEMS, type Problem } from "@tributary/core/validation/Problem"

const ITEMS = "items"
/** A longer list is refused as a whole. */
const MAX_ITEMS = 1_000

const isListOfItems = ({ ast }: Schema.Top): boolean => {
  const fields = ast._tag === "Objects" ? ast.propertySignatures : []
  return fields.length === 1 && fields[0]!.name === ITEMS && fields[0]!.type._tag === "Arrays"
}

const itemsOf = (value: unknown): ReadonlyArray<unknown> | undefined => {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, ITEMS)) return undefined
  const { items } = value as { readonly items: unknown }
  return Array.isArray(items) && items.length > 1 && items.length <= MAX_ITEMS ? items : undefined
}

const isOfItem = ({ loc }: Problem): boolean => loc[1] === ITEMS && loc.length > 2

const at = (index: number) => (problem: Problem): Problem =>
  isOfItem(problem) ? { ...problem, loc: ["body", ITEMS, index, ...problem.loc.slice(3)] } : problem

export const inItems = (schema: Schema.Top, whole: PartDecoder) => {
  const isList = isListOfItems(schema)
  return {
    whole,
    *inItems(value: unknown): Generator<void, ReturnType<PartDecoder>> {
      const items = isList ? itemsOf(value) : undefined
      if (items === undefined) return whole(value)
      const taken: Array<unknown> = []
      const problems: Array<Problem> = []
      const ofBody: Array<Problem> = []
      for (const [index, item] of items.entries()) {
        // Fields beside the items are validated with the first item.
        const result = whole(index === 0 ? { ...value as object, items: [item] } : { items: [item] })
        if (Result.isSuccess(result)) {
          taken.push((result.success as { readonly items: ReadonlyArray<unknown> }).items[0])
        } else for (const problem of result.failure) (isOfItem(problem) ? problems : ofBody).push(at(index)(problem))
        if (problems.length >= MAX_PROBLEMS) break
        yield
      }
      const all = [...problems, ...ofBody]
      return all.length === 0 ? Result.succeed({ items: taken }) : Result.fail(all)
    }
  }
}
