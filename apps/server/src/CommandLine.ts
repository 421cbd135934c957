/** The command line: finds the command that was named, and says what there is when none was. */
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { parseArgs } from "node:util"
import { settingsHelp } from "./Settings.ts"
import { UsageError } from "./UsageError.ts"

export interface Command<E> {
  readonly name: string
  readonly summary: string
  /** Switches, each with its meaning. */
  readonly flags: Readonly<Record<string, string>>
  run(given: ReadonlySet<string>): Effect.Effect<void, E>
}

const usage = <E>(commands: ReadonlyArray<Command<E>>): string =>
  [
    "Usage: tributary COMMAND [--help]",
    "",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`)
  ].join("\n")

const help = <E>({ flags, name, summary }: Command<E>): string =>
  [
    `Usage: tributary ${name}${Object.keys(flags).map((flag) => ` [--${flag}]`).join("")} [--help]`,
    "",
    summary,
    "",
    ...Object.entries(flags).map(([flag, meaning]) => `  --${flag.padEnd(8)} ${meaning}`),
    "",
    "Settings (environment variables):",
    "",
    settingsHelp()
  ].join("\n")

const wrong = <E>(problem: string, commands: ReadonlyArray<Command<E>>) =>
  Effect.fail(new UsageError({ message: `${problem}\n\n${usage(commands)}`, exitCode: 2 }))

/** Null when there is something in it that the command does not know. */
const parse = (flags: ReadonlyArray<string>, args: ReadonlyArray<string>): ReadonlySet<string> | null => {
  try {
    const options = Object.fromEntries([...flags, "help"].map((flag) => [flag, { type: "boolean" as const }]))
    return new Set(Object.keys(parseArgs({ args: [...args], options }).values))
  } catch {
    return null
  }
}

/** Runs the command that `args` name. */
export const run = <E>(
  commands: ReadonlyArray<Command<E>>,
  [name, ...args]: ReadonlyArray<string>
): Effect.Effect<void, E | UsageError> => {
  if (name === undefined) return wrong("tributary: a command is missing", commands)
  if (name === "--help" || name === "-h" || name === "help") return Console.log(usage(commands))
  const command = commands.find((command) => command.name === name)
  if (command === undefined) return wrong(`tributary: there is no command "${name}"`, commands)
  const given = parse(Object.keys(command.flags), args)
  if (given === null) return wrong(`tributary ${name}: cannot read "${args.join(" ")}"`, [command])
  return given.has("help") ? Console.log(help(command)) : command.run(given)
}
