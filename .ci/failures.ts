import { appendFileSync } from "node:fs"

/** Adds a line to what `.ci/run` says again at its end. */
export const keepFailure = (line: string): void => {
  const list = process.env["TRIBUTARY_FAILURES"]
  if (list !== undefined) appendFileSync(list, `${line}\n`)
}
