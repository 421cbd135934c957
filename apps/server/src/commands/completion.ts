/** `tributary completion`: prints a completion script. */
import * as Effect from "effect/Effect"
import type { Arguments, Command, Report } from "../cli/Command.ts"
import { completionScript, SHELLS } from "../cli/completionScript.ts"
import { calledWrongly } from "../UsageError.ts"

export const completion = (commands: ReadonlyArray<Command>) => (args: Arguments) => {
  const [asked = ""] = args.positionals
  const shell = SHELLS.find((name) => name === asked)
  if (shell === undefined) {
    return calledWrongly(`There is no completion for "${asked}". There is: ${SHELLS.join(", ")}.`)
  }
  const text = completionScript(shell, commands)
  return Effect.succeed<Report>({ json: { shell, script: text }, text })
}
