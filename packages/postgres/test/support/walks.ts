/** What a plan reads beyond its result: scanned tables and indexes, and rows that filters remove. */
import type { Explained, Plan } from "./explained.ts"

export interface Index {
  readonly name: string
  readonly columns: ReadonlyArray<string>
  readonly unique: boolean
}

/** A condition on a column. */
type Bound = "equal" | "range"

const boundOf = (condition: string, column: string): Bound | null => {
  const name = `"?${column}"?`
  if (new RegExp(`\\(${name} (=|IS NULL)`).test(condition)) return "equal"
  if (new RegExp(`\\(${name} [<>]=? |ROW\\([^)]*\\b${name}[,)]`).test(condition)) return "range"
  return null
}

/** The columns that begin the index, up to the first whose values are a range. */
const boundsOf = (condition: string, { columns }: Index): ReadonlyArray<Bound> => {
  const bounds: Array<Bound> = []
  for (const column of columns) {
    const bound = boundOf(condition, column)
    if (bound === null) break
    bounds.push(bound)
    if (bound === "range") break
  }
  return bounds
}

/** It removes all or nothing: these columns belong to the row that was found by its key. */
const ALL_OR_NOTHING = /\(?NOT \(\w+ IS DISTINCT FROM [^()]+\)\)?/g

/** A row-level security filter removes nothing if the statement itself selects one workspace. */
const POLICY = new RegExp(
  String
    .raw`COALESCE\(\([\w."]*workspace_id = \(COALESCE\(NULLIF\(current_setting\('tributary\.workspace'::text, true\), ` +
    String.raw`''::text\), '[0-]+'::text\)\)::uuid\), false\)|EXISTS\(SubPlan \d+\)|\(SubPlan \d+\)`,
  "g"
)

/** Whether a range starts at a workspace and continues through all later ones, so that only a limit ends it. */
const goesOn = (condition: string): boolean => {
  const sides = Array.from(condition.matchAll(/\bworkspace_id"?[^<>=]*([<>=])/g), ([, side]) => side)
  return sides.length > 0 && !sides.includes("=") && !(sides.includes("<") && sides.includes(">"))
}

const nested = (plan: Plan): ReadonlyArray<Plan> => [plan, ...(plan.Plans ?? []).flatMap(nested)]

const walkOf = (plan: Plan, indexes: ReadonlyMap<string, Index>): string | null => {
  const table = plan["Relation Name"]
  if (table === undefined || !plan["Node Type"].includes("Scan") || plan["Node Type"] === "Tid Scan") return null
  const found = plan["Index Name"] === undefined ? plan.Plans?.[0] : plan
  const index = indexes.get(found?.["Index Name"] ?? "")
  if (index === undefined) return `${table} as a whole`
  const condition = found?.["Index Cond"] ?? ""
  const bounds = boundsOf(condition, index)
  if (bounds.length === 0) return `${index.name} as a whole`
  const through = `${index.name} by ${index.columns.slice(0, bounds.length).join(", ")}`
  if (index.unique && bounds.length === index.columns.length && !bounds.includes("range")) return null
  const further = index.columns.slice(bounds.length).some((column) =>
    boundOf(condition, column) !== null && !new RegExp(`ROW\\([^)]*"?\\b${column}"?[,)]`).test(condition)
  )
  const filter = (plan.Filter ?? "").replaceAll(ALL_OR_NOTHING, "")
  const rest = goesOn(condition) ? filter : filter.replaceAll(POLICY, "")
  return further || /\w/.test(rest.replaceAll("AND", "")) ? through : null
}

export const indexesOf = ({ Plan: plan }: Explained): Array<string> =>
  nested(plan).flatMap((one) => one["Index Name"] ?? [])

const childrenOf = (plan: Plan, type: string): ReadonlyArray<Plan> =>
  (plan.Plans ?? []).filter((child) => child["Node Type"] === type)

/** A sort of a table of which only the first rows are used; a page that a function returns may be sorted. */
const sortedOf = (plan: Plan): ReadonlyArray<string> =>
  nested(plan).filter((limit) => limit["Node Type"] === "Limit")
    .flatMap((limit) => [limit, ...childrenOf(limit, "LockRows")])
    .flatMap((parent) => [...childrenOf(parent, "Sort"), ...childrenOf(parent, "Incremental Sort")])
    .filter((sort) => nested(sort).some(({ "Relation Name": table }) => table !== undefined && table !== "workspaces"))
    // Of several tables with one name, and of parts of a union, a plan numbers the names.
    .map((sort) =>
      `sort by ${
        sort["Sort Key"]?.join(", ").replaceAll(/\b([a-z])_\d+\./g, "$1.").replaceAll("\"*SELECT* 1\".", "d.")
      }`
    )

export const walksOf = ({ Plan: plan }: Explained, indexes: ReadonlyMap<string, Index>): ReadonlyArray<string> => [
  ...new Set([...nested(plan).flatMap((one) => walkOf(one, indexes) ?? []), ...sortedOf(plan)])
]
