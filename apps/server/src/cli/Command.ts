/** A command: its name, description, options and action, for the parser and the help. */
import type * as Effect from "effect/Effect"
import type { UsageError } from "../UsageError.ts"

interface Option {
  readonly description: string
  /** The placeholder of its value in the help; absent for a flag. */
  readonly value?: string
  /** May be given several times. */
  readonly multiple?: boolean
}

export type Options = Readonly<Record<string, Option>>

/** The arguments after a command's name. */
export interface Arguments {
  readonly positionals: ReadonlyArray<string>
  has(option: string): boolean
  /** The value of an option that may be given once. */
  value(option: string): string | undefined
  values(option: string): ReadonlyArray<string>
  /** Options that the command does not name itself, with their values. */
  readonly otherOptions: Readonly<Record<string, string>>
}

/** The result of a command, for programs and for people. */
export interface Report {
  readonly json: unknown
  readonly text: string
  /** The reason why something was left out; the command then exits with 1. */
  readonly failure?: string
}

export interface Command {
  /** One word, or two: a noun and a verb. */
  readonly name: string
  readonly summary: string
  /** How the help shows the positional arguments, and their number. */
  readonly positionals?: { readonly usage: string; readonly min: number; readonly max: number }
  readonly options: Options
  /** What the help says of other options, `--NAME VALUE`. Without this, they are refused. */
  readonly otherOptions?: string
  /** Without the name of the program. */
  readonly examples: ReadonlyArray<string>
  /** Its action, loaded when it is called, so that each command loads only its own code. */
  readonly load: () => Promise<(args: Arguments) => Effect.Effect<Report | void, UsageError>>
}
