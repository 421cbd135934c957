/** Unknown variables that look like settings. */
import { fileVariable } from "./secretFiles.ts"
import { SETTINGS } from "./Settings.ts"

const KNOWN: ReadonlySet<string> = new Set(
  Object.values(SETTINGS).flatMap(({ secret, variable }) => secret ? [variable, fileVariable(variable)] : [variable])
)

/** Kubernetes sets these in every container beside a service of that name. */
const OF_KUBERNETES = /^TRIBUTARY_(?:SERVICE|PORT)_/

/** The unknown variables that look like settings: misspelt, or of another version. */
export const unknownSettings = (variables: ReadonlyArray<string>): ReadonlyArray<string> =>
  variables.filter((variable) =>
    variable.startsWith("TRIBUTARY_") && !KNOWN.has(variable) && !OF_KUBERNETES.test(variable)
  )
