/** Parts of a page's address, which anybody may have typed. What does not fit is left out. */

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
