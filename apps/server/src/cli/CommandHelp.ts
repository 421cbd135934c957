/** The output of `--help`. */
import type { Command, Options } from "./Command.ts"
import { settingsHelp } from "../settings/Settings.ts"

const callOf = ({ name, positionals }: Command): string =>
  positionals === undefined ? name : `${name} ${positionals.usage}`

/** All commands, or the usage of the given ones. */
export const usageOf = (commands: ReadonlyArray<Command>): string => {
  const width = Math.max(...commands.map((command) => callOf(command).length))
  return [
    "Usage: tributary COMMAND [OPTIONS]",
    "",
    ...commands.map((command) => `  ${callOf(command).padEnd(width)}  ${command.summary}`),
    "",
    "tributary COMMAND --help describes a command."
  ].join("\n")
}

const optionLines = (options: Options): ReadonlyArray<string> => {
  const all: Options = { ...options, help: { description: "prints this" } }
  const rows = Object.entries(all).map(([name, { description, value }]) =>
    [value === undefined ? `--${name}` : `--${name} ${value}`, description] as const
  )
  const width = Math.max(...rows.map(([option]) => option.length))
  return rows.map(([option, description]) => `  ${option.padEnd(width)}  ${description}`)
}

const optionsHelp = ({ options, otherOptions }: Command): ReadonlyArray<string> => [
  ...optionLines(options),
  ...(otherOptions === undefined ? [] : [`  --NAME VALUE  ${otherOptions}`])
]

const callHelp = (command: Command): string => `Usage: tributary ${callOf(command)} [OPTIONS]`

export const callUsageOf = (command: Command): string => [callHelp(command), "", ...optionsHelp(command)].join("\n")

/** Everything about one command. */
export const helpOf = (command: Command): string =>
  [
    callHelp(command),
    "",
    command.summary,
    "",
    ...optionsHelp(command),
    "",
    "Examples:",
    "",
    ...command.examples.map((example) => `  ${example}`),
    "",
    ...(command.name === "serve"
      ? ["Settings (environment variables):", "", settingsHelp()]
      : ["Exit codes: 0 it worked, 1 it failed, 2 it was called wrongly.", "Settings: tributary serve --help", ""])
  ].join("\n")
