/** Runs commands in the process of the tests, as `run.ts` does, without the cost of a new process. */
import * as ConfigProvider from "effect/ConfigProvider"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import { assert } from "vitest"
import * as CommandLine from "../src/cli/CommandLine.ts"
import { commands } from "../src/commands/definitions/commands.ts"
import type { Environment } from "./serverProcess.ts"

/** Runs a command in this process, with the output and exit code of a separate one. */
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

/** What a command prints that succeeds without a word on standard error. */
export const outputOf = async (args: ReadonlyArray<string>, settings: Environment): Promise<string> => {
  const { code, stderr, stdout } = await commandHere(args, settings)
  assert.strictEqual(stderr, "")
  assert.strictEqual(code, 0)
  return stdout
}
