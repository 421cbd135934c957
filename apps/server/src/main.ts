/** The `tributary` command. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"
import * as CommandLine from "./CommandLine.ts"
import { serve } from "./Serve.ts"
import { UsageError } from "./UsageError.ts"

const commands = [serve]

const main = CommandLine.run(commands, process.argv.slice(2)).pipe(
  Effect.tapError((error) =>
    error instanceof UsageError ? Effect.sync(() => process.stderr.write(`${error.message}\n`)) : Effect.void
  )
)

NodeRuntime.runMain(main, {
  // A signal ends the server as intended, so it ends with 0.
  teardown: (exit, done) =>
    Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? done(0) : Runtime.defaultTeardown(exit, done)
})
