/** Variables that the one who set them takes for settings. */
import { fileVariable } from "./secretFiles.ts"
import { SETTINGS } from "./Settings.ts"

const KNOWN: ReadonlySet<string> = new Set(
  Object.values(SETTINGS).flatMap(({ secret, variable }) => secret ? [variable, fileVariable(variable)] : [variable])
)

/** Kubernetes gives these to every container that a service of that name stands beside. */
const OF_KUBERNETES = /^TRIBUTARY_(?:SERVICE|PORT)_/

/** Of these variables, those that are named like a setting and are none: misspelt, or of another version. */
export const unknownSettings = (variables: ReadonlyArray<string>): ReadonlyArray<string> =>
  variables.filter((variable) =>
    variable.startsWith("TRIBUTARY_") && !KNOWN.has(variable) && !OF_KUBERNETES.test(variable)
  )
