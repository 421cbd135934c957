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
  /** What it does with the switches that are given; loaded when it is named, so that it pays for its own parts only. */
  readonly load: () => Promise<(given: ReadonlySet<string>) => Effect.Effect<void, E>>
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
    const switches = Object.fromEntries(flags.map((flag) => [flag, { type: "boolean" as const }]))
    const options = { ...switches, help: { type: "boolean" as const, short: "h" } }
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
  if (given.has("help")) return Console.log(help(command))
  return Effect.flatMap(Effect.promise(command.load), (start) => start(given))
}
