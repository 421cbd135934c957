/**
 * Judges the number of elements of arrays and maps before anything in them is looked at. So a list that is too long
 * is told as that and nothing else, and ten million elements cost no more than a count.
 */
import type { SchemaAST } from "effect"
import { echo } from "./Echo.ts"
import type { Location, Problem } from "./Problem.ts"

/** What stands in for a collection that is too long: nothing accepts a symbol, so its place is refused as a whole. */
export type Overlong = Map<symbol, Problem>

/** Gives the value with every collection that is too long replaced. */
export type Bounds = (value: unknown, location: Location, overlong: Overlong) => unknown

interface Representation {
  readonly id: string
  readonly payload: Readonly<Record<string, unknown>> | null
}

/** All filters of a schema, out of their groups. */
export const filtersOf = (checks: SchemaAST.Checks | undefined): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  (checks ?? []).flatMap((check) => check._tag === "Filter" ? [check] : filtersOf(check.checks))

export const representationOf = (filter: SchemaAST.Filter<unknown>): Representation | undefined =>
  filter.annotations?.["representation"] as Representation | undefined

const maximumOf = (ast: SchemaAST.AST, id: string, name: string): number =>
  filtersOf(ast.checks).reduce((smallest, filter) => {
    const representation = representationOf(filter)
    const maximum = representation?.id === id ? Number(representation.payload?.[name]) : Infinity
    return Math.min(smallest, maximum)
  }, Infinity)

const replaced = (
  field: "List" | "Dictionary",
  maximum: number,
  value: object,
  loc: Location,
  overlong: Overlong
): symbol => {
  const actual = Array.isArray(value) ? value.length : Object.keys(value).length
  const standIn = Symbol(field)
  overlong.set(standIn, {
    type: "too_long",
    loc,
    msg: `${field} should have at most ${maximum} item${maximum === 1 ? "" : "s"} after validation, not ${actual}`,
    ...echo(value),
    ctx: { field_type: field, max_length: maximum, actual_length: actual }
  })
  return standIn
}

const ofArray = (ast: SchemaAST.Arrays): Bounds | undefined => {
  const maximum = maximumOf(ast, "effect/schema/isMaxLength", "maxLength")
  const inner = ast.rest[0] === undefined ? undefined : boundsOf(ast.rest[0])
  if (maximum === Infinity && inner === undefined) return undefined
  return (value, location, overlong) => {
    if (!Array.isArray(value)) return value
    if (value.length > maximum) return replaced("List", maximum, value, location, overlong)
    return inner === undefined ? value : value.map((element, index) => inner(element, [...location, index], overlong))
  }
}

const ofMap = (maximum: number): Bounds => (value, location, overlong) =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > maximum
    ? replaced("Dictionary", maximum, value, location, overlong)
    : value

const ofObject = (ast: SchemaAST.Objects): Bounds | undefined => {
  const maximum = maximumOf(ast, "effect/schema/isMaxProperties", "maxProperties")
  if (maximum !== Infinity) return ofMap(maximum)
  const fields = ast.propertySignatures.flatMap(({ name, type }) => {
    const inner = boundsOf(type)
    return inner === undefined ? [] : [{ name: String(name), inner }]
  })
  if (fields.length === 0) return undefined
  return (value, location, overlong) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value
    let judged = value as Record<string, unknown>
    for (const { name, inner } of fields) {
      if (!Object.hasOwn(judged, name)) continue
      const before = overlong.size
      const changed = inner(judged[name], [...location, name], overlong)
      // Spreading keeps an own `__proto__` a plain field.
      if (overlong.size > before) judged = { ...judged, [name]: changed }
    }
    return judged
  }
}

/** The bounds that a schema states anywhere within; nothing when it states none. */
export const boundsOf = (ast: SchemaAST.AST): Bounds | undefined => {
  switch (ast._tag) {
    case "Arrays":
      return ofArray(ast)
    case "Objects":
      return ofObject(ast)
    case "Union": {
      const members = ast.types.flatMap((type) => boundsOf(type) ?? [])
      return members.length === 0
        ? undefined
        : (value, location, overlong) => members.reduce((judged, member) => member(judged, location, overlong), value)
    }
    default:
      return undefined
  }
}
