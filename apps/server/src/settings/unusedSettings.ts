/** Settings of a part that is off. */
import type { Settings } from "./Settings.ts"

const PARTS: ReadonlyArray<readonly [prefix: string, isOn: (settings: Settings) => boolean]> = [
  ["TRIBUTARY_DATABASE_", ({ storage }) => storage.kind === "postgres"],
  ["TRIBUTARY_ANSWERS_", ({ answers }) => answers !== null],
  ["TRIBUTARY_EMBEDDINGS_", ({ embeddings }) => embeddings !== null],
  ["TRIBUTARY_RERANKER_", ({ reranker }) => reranker !== null],
  ["TRIBUTARY_OIDC_", ({ provider }) => provider !== null]
]

/** The variables that have no effect, such as the key of a model whose address is not set. */
export const unusedSettings = (
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>
): ReadonlyArray<string> =>
  Object.keys(environment).filter((variable) =>
    environment[variable] !== "" && PARTS.some(([prefix, isOn]) => variable.startsWith(prefix) && !isOn(settings))
  )
