/** What a command is: how it is called, what it is for, and what it does. The help and the parser both read it. */
import type * as Effect from "effect/Effect"
import type { UsageError } from "./UsageError.ts"

interface Option {
  readonly meaning: string
  /** What stands for its value in the help; absent for a switch. */
  readonly value?: string
  /** May be given several times. */
  readonly repeated?: boolean
}

export type Options = Readonly<Record<string, Option>>

/** What was written behind a command's name. */
export interface Given {
  /** The words that are no options, in their order. */
  readonly words: ReadonlyArray<string>
  has(option: string): boolean
  /** The last value of an option. */
  value(option: string): string | undefined
  values(option: string): ReadonlyArray<string>
  /** Options that the command does not name itself, with their values. */
  readonly fields: Readonly<Record<string, string>>
}

/** What a command found out or did: for programs, and for people. */
export interface Report {
  readonly json: unknown
  readonly text: string
  /** It did its work and yet left something out: the command ends with 1, and this says why. */
  readonly failure?: string
}

export interface Command {
  /** One word, or two: a noun and what is done with it. */
  readonly name: string
  readonly summary: string
  /** The words that it takes, as the help shows them. */
  readonly words?: { readonly form: string; readonly least: number; readonly most: number }
  readonly options: Options
  /** What other options it takes, as the help tells it: `--NAME VALUE`. Without this, others are refused. */
  readonly fields?: string
  /** Without the name of the program. */
  readonly examples: ReadonlyArray<string>
  /** What it does; loaded when it is named, so that it pays for its own parts only. */
  readonly load: () => Promise<(given: Given) => Effect.Effect<Report | void, UsageError>>
}
