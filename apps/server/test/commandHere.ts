/** Commands within the process of the tests: what `run.ts` does, without what it costs to start a process for each. */
import * as ConfigProvider from "effect/ConfigProvider"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import * as CommandLine from "../src/command/CommandLine.ts"
import { commands } from "../src/command/commands.ts"
import type { Environment } from "./serverProcess.ts"

/** Runs a command to its end; answers as a process of its own would. */
export const commandHere = async (args: ReadonlyArray<string>, settings: Environment) => {
  const output = { stdout: "", stderr: "" }
  const capturing: Console.Console = Object.assign(Object.create(console), {
    log: (line: string) => output.stdout += `${line}\n`,
    error: (line: string) => output.stderr += `${line}\n`
  })
  const exit = await CommandLine.run(commands, args).pipe(
    Effect.tapError(({ message }) => Effect.sync(() => output.stderr += `${message}\n`)),
    Effect.provideService(Console.Console, capturing),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env: settings })),
    Effect.runPromiseExit
  )
  let code = 0
  Runtime.defaultTeardown(exit, (exitCode) => code = exitCode)
  return { code, ...output }
}
