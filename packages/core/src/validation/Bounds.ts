/**
 * Checks the sizes of arrays and maps before their content, so that a list that is too long is reported as one problem,
 * and ten million elements cost no more than a count. Unknown fields are limited, too, because each is a problem.
 */
import type { SchemaAST } from "effect"
import { echo } from "./Echo.ts"
import { type Location, MAX_PROBLEMS, type Problem } from "./Problem.ts"

/** The findings of one request. */
export interface Findings {
  /** Replaces a collection that is too long: no schema accepts a symbol, so its place is refused as a whole. */
  readonly overlong: Map<symbol, Problem>
  /** The number of unknown fields. */
  unknown: number
}

/** Replaces every collection that is too long, and drops excess unknown fields. */
export type Bounds = (value: unknown, location: Location, findings: Findings) => unknown

interface Representation {
  readonly id: string
  readonly payload: Readonly<Record<string, unknown>> | null
}

/** All filters of a schema, without their groups. */
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

export const maximumLength = (ast: SchemaAST.AST): number => maximumOf(ast, "effect/schema/isMaxLength", "maxLength")

export const maximumProperties = (ast: SchemaAST.AST): number =>
  maximumOf(ast, "effect/schema/isMaxProperties", "maxProperties")

const replaced = (
  field: "List" | "Dictionary",
  maximum: number,
  value: object,
  loc: Location,
  findings: Findings
): symbol => {
  const actual = Array.isArray(value) ? value.length : Object.keys(value).length
  const standIn = Symbol(field)
  findings.overlong.set(standIn, {
    type: "too_long",
    loc,
    msg: `${field} should have at most ${maximum} item${maximum === 1 ? "" : "s"} after validation, not ${actual}`,
    ...echo(value),
    ctx: { field_type: field, max_length: maximum, actual_length: actual }
  })
  return standIn
}

const ofArray = (ast: SchemaAST.Arrays): Bounds | undefined => {
  const maximum = maximumLength(ast)
  const inner = ast.rest[0] === undefined ? undefined : boundsOf(ast.rest[0])
  if (maximum === Infinity && inner === undefined) return undefined
  return (value, location, findings) => {
    if (!Array.isArray(value)) return value
    if (value.length > maximum) return replaced("List", maximum, value, location, findings)
    if (inner === undefined) return value
    const bounded = value.map((element, index) => inner(element, [...location, index], findings))
    return bounded.some((element, index) => element !== value[index]) ? bounded : value
  }
}

const ofMap = (maximum: number): Bounds => (value, location, findings) =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > maximum
    ? replaced("Dictionary", maximum, value, location, findings)
    : value

type Fields = Readonly<Record<string, unknown>>

/** Keeps as many unknown fields as can be reported. */
const withoutSurplus = (value: Fields, known: ReadonlySet<string>, findings: Findings): Fields => {
  const names = Object.keys(value)
  if (names.length <= known.size) return value
  const kept = names.filter((name) => known.has(name) || findings.unknown++ < MAX_PROBLEMS)
  return kept.length === names.length ? value : Object.fromEntries(kept.map((name) => [name, value[name]]))
}

const ofFields = (ast: SchemaAST.Objects): Bounds => {
  const known = new Set(ast.propertySignatures.map(({ name }) => String(name)))
  const fields = ast.propertySignatures.flatMap(({ name, type }) => {
    const inner = boundsOf(type)
    return inner === undefined ? [] : [{ name: String(name), inner }]
  })
  return (value, location, findings) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value
    let bounded = withoutSurplus(value as Fields, known, findings)
    for (const { name, inner } of fields) {
      if (!Object.hasOwn(bounded, name)) continue
      const before = bounded[name]
      const after = inner(before, [...location, name], findings)
      // Spreading keeps an own `__proto__` an ordinary field.
      if (after !== before) bounded = { ...bounded, [name]: after }
    }
    return bounded
  }
}

const ofObject = (ast: SchemaAST.Objects): Bounds | undefined => {
  const maximum = maximumProperties(ast)
  if (maximum !== Infinity) return ofMap(maximum)
  return ast.indexSignatures.length > 0 ? undefined : ofFields(ast)
}

/** The bounds anywhere inside a schema; undefined without any. */
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
        : (value, location, findings) => members.reduce((bounded, member) => member(bounded, location, findings), value)
    }
    default:
      return undefined
  }
}
