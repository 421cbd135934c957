/** Parts of a page's address, which anybody may have typed. What does not fit is left out. */

/** As texts: the router's own reader makes numbers and objects of some, such as of `q=2026`. */
export const readQuery = (query: string): Record<string, string> => Object.fromEntries(new URLSearchParams(query))

export const writeQuery = (query: Readonly<Record<string, unknown>>): string => {
  const given = Object.entries(query).flatMap(([name, value]) => value === undefined ? [] : [[name, String(value)]])
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`
}

/** The parameters of these names that are not empty. */
export const textsIn = <Name extends string>(
  query: Readonly<Record<string, unknown>>,
  ...names: ReadonlyArray<Name>
): { readonly [Each in Name]?: string } =>
  Object.fromEntries(names.flatMap((name) => {
    const value = query[name]
    return typeof value === "string" && value !== "" ? [[name, value]] : []
  })) as { readonly [Each in Name]?: string }

/** In the knowledge context, or outside of it. */
export const whereIn = ({ where }: Readonly<Record<string, unknown>>): { readonly where?: "in" | "out" } =>
  where === "in" || where === "out" ? { where } : {}
