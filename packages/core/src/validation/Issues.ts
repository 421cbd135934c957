/**
 * Converts schema issues into the problems of a 422: location, type, message and input.
 *
 * An issue has the path to its location, so the value is walked alongside. The order is that of the API: declared
 * fields first, then unknown keys as sent.
 */
import { MISSING, UNEXPECTED, type Violation, VIOLATIONS } from "../model/Violation.ts"
import type { SchemaAST, SchemaIssue } from "effect"
import { filtersOf, type Findings } from "./Bounds.ts"
import { echo } from "./Echo.ts"
import { type Location, MAX_PROBLEMS, type Problem } from "./Problem.ts"
import { brokenCheck } from "./brokenCheck.ts"
import { membersOf, wrongType } from "./wrongType.ts"

/** A value on the path: as decoded, as sent, and its parent. */
interface Place {
  readonly loc: Location
  readonly decoded: unknown
  readonly sent: unknown
  readonly parent: unknown
}

const member = (value: unknown, key: PropertyKey): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined

// Names from the client are truncated, to bound the response.
const MAX_NAME = 1_000

const below = (place: Place, key: PropertyKey): Place => ({
  loc: [...place.loc, typeof key === "number" ? key : String(key).slice(0, MAX_NAME)],
  decoded: member(place.decoded, key),
  sent: member(place.sent, key),
  parent: place.sent
})

const toProblem = ({ type, message, context }: Violation, place: Place): Problem => {
  const input = type === "missing" ? place.parent : place.sent
  return {
    type,
    loc: place.loc,
    msg: message,
    // A string that is not storable is not sent back either.
    ...(type === "string_unicode" ? {} : echo(input)),
    ...(context === undefined ? {} : { ctx: context as Problem["ctx"] & object })
  }
}

/** The last path segment for a map's key, as opposed to its value. */
const KEY = "[key]"

const problemAt = (violation: Violation, place: Place): Problem => {
  const path = violation.path ?? []
  const broken = path.reduce<Place>(below, place)
  const isKey = path.at(-1) === KEY && place.sent !== undefined
  return toProblem(violation, isKey ? { ...broken, sent: path.at(-2) } : broken)
}

/** Problems of the keys of a map, which the schema does not reach if a value is invalid. */
const brokenKeys = (ast: SchemaAST.AST, value: unknown): ReadonlyArray<Violation> =>
  filtersOf(ast.checks).flatMap((filter) =>
    filter.annotations?.[VIOLATIONS] === undefined ? [] : brokenCheck(filter, value, ast)
  )
    .filter(({ path }) => path?.at(-1) === KEY)

/** The discriminator of a union; undefined without one. */
const discriminatorOf = (members: ReadonlyArray<SchemaAST.AST>): string | undefined => {
  const [first] = members
  if (members.length < 2 || first?._tag !== "Objects") return undefined
  const literal = first.propertySignatures.find(({ type }) => type._tag === "Literal")
  return literal === undefined ? undefined : String(literal.name)
}

const tagsOf = (members: ReadonlyArray<SchemaAST.AST>, discriminator: string): string =>
  members.flatMap((ast) =>
    ast._tag === "Objects" ? ast.propertySignatures.filter(({ name }) => name === discriminator) : []
  ).map(({ type }) => type._tag === "Literal" ? `'${type.literal}'` : "").join(", ")

/** No member of a union matches: report by the discriminator if there is one. */
const noMember = (ast: SchemaAST.AST, value: unknown): Violation => {
  const members = membersOf(ast)
  const name = discriminatorOf(members)
  if (name === undefined || typeof value !== "object" || value === null || Array.isArray(value)) return wrongType(ast)
  const discriminator = `'${name}'`
  if (!Object.hasOwn(value, name)) {
    const message = `Unable to extract tag using discriminator ${discriminator}`
    return { type: "union_tag_not_found", message, context: { discriminator } }
  }
  const given = member(value, name)
  const tag = (typeof given === "string" ? given : JSON.stringify(given)).slice(0, MAX_NAME)
  const expected = tagsOf(members, name)
  return {
    type: "union_tag_invalid",
    message: `Input tag '${tag}' found using ${discriminator} does not match any of the expected tags: ${expected}`,
    context: { discriminator, tag, expected_tags: expected }
  }
}

/** An error inside a discriminated union has the member's tag in its location. */
const withinMember = (ast: SchemaAST.AST, place: Place): Place => {
  const discriminator = discriminatorOf(membersOf(ast))
  return discriminator === undefined || ast._tag !== "Union" || ast.types.some(({ _tag }) => _tag === "Union")
    ? place
    : { ...place, loc: [...place.loc, String(member(place.decoded, discriminator))] }
}

const isUnexpectedKey = (issue: SchemaIssue.Issue): boolean =>
  issue._tag === "Pointer" && issue.issue._tag === "UnexpectedKey"

/** The problems of an issue, in the API's order. `sent` is the raw value, `decoded` the decoded one. */
export const problemsOf = (
  issue: SchemaIssue.Issue,
  root: Location,
  sent: unknown,
  decoded: unknown,
  { overlong }: Findings
): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = []

  const report = (violation: Violation, place: Place) => {
    if (problems.length < MAX_PROBLEMS) problems.push(problemAt(violation, place))
  }

  const composite = (issue: SchemaIssue.Composite, place: Place): void => {
    // Only the first failed check of a value is reported.
    if (issue.issues[0]._tag === "Filter") return walk(issue.issues[0], place, issue.ast)
    if (issue.ast._tag === "Objects") {
      for (const violation of brokenKeys(issue.ast, place.decoded)) report(violation, place)
    }
    for (const child of issue.issues) if (!isUnexpectedKey(child)) walk(child, place, issue.ast)
    for (const child of issue.issues) if (isUnexpectedKey(child)) walk(child, place, issue.ast)
  }

  const walk = (issue: SchemaIssue.Issue, place: Place, ast?: SchemaAST.AST): void => {
    if (problems.length >= MAX_PROBLEMS) return
    const known = typeof place.decoded === "symbol" ? overlong.get(place.decoded) : undefined
    if (known !== undefined) {
      problems.push(known)
      return
    }
    switch (issue._tag) {
      case "Pointer":
        return walk(issue.issue, issue.path.reduce<Place>(below, place))
      case "Composite":
        return composite(issue, place)
      case "MissingKey":
        return report(MISSING, place)
      case "UnexpectedKey":
        return report(UNEXPECTED, place)
      case "InvalidType":
        return report(wrongType(issue.ast), place)
      case "Encoding":
        return walk(issue.issue, place, issue.ast)
      case "AnyOf":
        return issue.issues[0] === undefined
          ? report(noMember(issue.ast, place.decoded), place)
          : walk(issue.issues[0], withinMember(issue.ast, place))
      case "Filter":
        for (const violation of brokenCheck(issue.filter, place.decoded, ast)) report(violation, place)
        return
      default:
        return report({ type: "value_error", message: "Value error, not a valid value" }, place)
    }
  }

  walk(issue, { loc: root, decoded, sent, parent: sent })
  return problems
}
