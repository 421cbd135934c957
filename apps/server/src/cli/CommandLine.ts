/** The command line: finds the command, parses its arguments, and prints its report. */
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { errorMessage } from "@tributary/node/errors"
import { parseArgs } from "node:util"
import manifest from "../../package.json" with { type: "json" }
import type { Arguments, Command, Report } from "./Command.ts"
import { callUsageOf, helpOf, usageOf } from "./CommandHelp.ts"
import { calledWrongly, failed, type UsageError } from "../UsageError.ts"

const wrong = (problem: string, usage: string) => Effect.fail(calledWrongly(`${problem}\n\n${usage}`))

const argumentsOf = (
  positionals: ReadonlyArray<string>,
  otherOptions: Readonly<Record<string, string>>,
  options: Readonly<Record<string, string | boolean | ReadonlyArray<string | boolean> | undefined>>
): Arguments => {
  const values = (option: string) => [options[option] ?? []].flat().filter((value) => typeof value === "string")
  return {
    positionals,
    otherOptions,
    has: (option) => options[option] !== undefined,
    value: (option) => values(option).at(-1),
    values
  }
}

/** Extracts the options that a command does not declare. One without a value is left for the parser to refuse. */
const takeOtherOptions = ({ options, otherOptions }: Command, args: ReadonlyArray<string>) => {
  const found: Record<string, string> = {}
  const twice: Array<string> = []
  const rest: Array<string> = []
  for (let at = 0; at < args.length; at++) {
    const [, name, inline] = /^--([a-z][a-z0-9_-]*)(?:=(.*))?$/s.exec(args[at]!) ?? []
    const value = inline ?? args[at + 1]
    if (otherOptions === undefined || name === undefined || name in options || name === "help" || value === undefined) {
      rest.push(args[at]!)
      continue
    }
    if (Object.hasOwn(found, name)) twice.push(name)
    found[name] = value
    if (inline === undefined) at++
  }
  return { found, rest, twice }
}

/** Why the command does not accept the arguments, or null. */
const problemIn = ({ options, positionals }: Command, read: Arguments, twice: ReadonlyArray<string>): string | null => {
  const { max, min, usage } = positionals ?? { usage: "", min: 0, max: 0 }
  // The parser would take the last value, and ignore the others without a word.
  const isAgain = (option: string) => options[option]?.multiple !== true && read.values(option).length > 1
  const [again] = [...twice, ...Object.keys(options).filter(isAgain)]
  if (again !== undefined) return `--${again} is given more than once`
  if (read.positionals.length > max) return `cannot read "${read.positionals[max]}"`
  // An empty argument is a missing one, such as `"$UNSET"`.
  const filled = read.positionals.filter((argument) => argument.trim() !== "")
  return filled.length < min ? `${usage} is missing` : null
}

/** The parsed arguments, or an error message. */
const parse = (command: Command, args: ReadonlyArray<string>): Arguments | string => {
  const { found, rest, twice } = takeOtherOptions(command, args)
  const known = Object.entries(command.options).map(([option, { value }]) =>
    [option, value === undefined ? { type: "boolean" as const } : { type: "string" as const, multiple: true }] as const
  )
  try {
    const { positionals, values } = parseArgs({
      args: rest,
      allowPositionals: true,
      options: { ...Object.fromEntries(known), help: { type: "boolean", short: "h" } }
    })
    const read = argumentsOf(positionals, found, values)
    return read.has("help") ? read : problemIn(command, read, twice) ?? read
  } catch (error) {
    // The rest of Node's message is advice for its own commands.
    const [problem = ""] = errorMessage(error).split(/\. |, /)
    return `${problem.charAt(0).toLowerCase()}${problem.slice(1)}`
  }
}

const print = Effect.fnUntraced(function*({ failure, json, text }: Report, args: Arguments) {
  yield* Console.log(args.has("json") ? JSON.stringify(json) : text)
  if (failure !== undefined) return yield* failed(failure)
})

/** The command of the first words, the words of its group, and the remaining words. */
const find = (commands: ReadonlyArray<Command>, args: ReadonlyArray<string>) => {
  const [first = "", second = ""] = args
  const command = commands.find(({ name }) => name === first || name === `${first} ${second}`)
  const group = commands.filter(({ name }) => name.startsWith(`${first} `))
  return { command, group, rest: args.slice(command?.name.includes(" ") ? 2 : 1) }
}

/** A mistyped command gets the names alone: the whole list would push the problem off the screen. */
const namesOf = (commands: ReadonlyArray<Command>): string =>
  `There are: ${[...new Set(commands.map(({ name }) => name.split(" ", 1)[0]))].join(", ")}.\n\n` +
  "tributary --help describes them."

const isHelp = (word: string | undefined): boolean => word === "--help" || word === "-h" || word === "help"

/** Runs the command that `args` name. */
export const run = (commands: ReadonlyArray<Command>, args: ReadonlyArray<string>): Effect.Effect<void, UsageError> => {
  const [first, second] = args
  if (first === undefined) return wrong("tributary: a command is missing", usageOf(commands))
  if (isHelp(first)) {
    const isGeneral = second === undefined || isHelp(second)
    return isGeneral ? Console.log(usageOf(commands)) : run(commands, [...args.slice(1), "--help"])
  }
  if (first === "--version") return Console.log(manifest.version)
  const { command, group, rest } = find(commands, args)
  if (command === undefined) {
    if (group.length === 0) return wrong(`tributary: there is no command "${first}"`, namesOf(commands))
    if (isHelp(second)) return Console.log(usageOf(group))
    const problem = second === undefined
      ? `tributary ${first}: a subcommand is missing`
      : `tributary: there is no command "${first} ${second}"`
    return wrong(problem, usageOf(group))
  }
  const read = parse(command, rest)
  if (typeof read === "string") return wrong(`tributary ${command.name}: ${read}`, callUsageOf(command))
  if (read.has("help")) return Console.log(helpOf(command))
  return Effect.promise(command.load).pipe(
    Effect.flatMap((act) => act(read)),
    Effect.flatMap((report) => report === undefined ? Effect.void : print(report, read))
  )
}
