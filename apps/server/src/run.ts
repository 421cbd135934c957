/** Runs the command of the process's arguments. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Runtime from "effect/Runtime"
import * as CommandLine from "./cli/CommandLine.ts"
import { commands } from "./commands/definitions/commands.ts"
import { strictConsole } from "./cli/standardOutput.ts"

/** A signal is the normal end of a server, and interrupts any other command. */
const isServer = process.argv[2] === "serve"
const INTERRUPTED = 130

/** In milliseconds: a database that does not answer would keep a server forever. */
const STOP_TIMEOUT = 20_000

const giveUp = () => {
  process.stderr.write("The storage does not answer, so it is not released. Nothing acknowledged is lost.\n")
  process.exit(1)
}

const limitStop = () => {
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => setTimeout(giveUp, STOP_TIMEOUT).unref())
  }
}

/** A closed terminal ends a server and a command as SIGTERM does: without a listener, nothing would be released. */
const endWithTerminal = () => process.on("SIGHUP", () => process.kill(process.pid, "SIGTERM"))

/** Without a listener, a closed pipe ends the process; messages that nobody reads are no reason for that. */
const outliveReaders = () => {
  for (const stream of isServer ? [process.stdout, process.stderr] : [process.stderr]) stream.on("error", () => {})
}

export const run = (): void => {
  outliveReaders()
  endWithTerminal()
  if (isServer) limitStop()
  const main = CommandLine.run(commands, process.argv.slice(2)).pipe(
    Effect.tapError(({ message }) => Effect.sync(() => process.stderr.write(`${message}\n`))),
    Effect.tapDefect((defect) => Effect.logError("the command failed", defect)),
    // A server prints no more than where it is, and runs on when nobody reads that.
    isServer ? (main) => main : Effect.provideService(Console.Console, strictConsole()),
    // Standard output is reserved for a command's report.
    Effect.provideService(Logger.LogToStderr, true)
  )
  NodeRuntime.runMain(main, {
    disableErrorReporting: true,
    teardown: (exit, done) =>
      Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
        ? done(isServer ? 0 : INTERRUPTED)
        : Runtime.defaultTeardown(exit, done)
  })
}
