/** The values of options that several commands have: scopes, numbers and times. */
import { dateTimeFault, toDate } from "@tributary/core/model/Timestamp"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { Arguments } from "../cli/Command.ts"
import { calledWrongly } from "../UsageError.ts"

export const scopesOf = Effect.fnUntraced(function*<Scope extends string>(
  args: Arguments,
  { literals }: Schema.Literals<ReadonlyArray<Scope>>,
  defaults: ReadonlyArray<Scope>
) {
  const known = (text: string) => literals.find((scope) => scope === text)
  const texts = args.values("scope").flatMap((value) => value.split(","))
  const unknown = texts.find((text) => known(text) === undefined)
  if (unknown !== undefined) {
    return yield* calledWrongly(`There is no scope "${unknown}". There are: ${literals.join(", ")}.`)
  }
  return texts.length === 0 ? defaults : texts.flatMap((text) => known(text) ?? [])
})

/** Undefined if the option is not given. */
export const wholeNumberOf = Effect.fnUntraced(function*(args: Arguments, option: string, least: number, most: number) {
  const text = args.value(option)
  if (text === undefined) return undefined
  const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN
  return number >= least && number <= most
    ? number
    : yield* calledWrongly(`--${option}: "${text}" is no whole number from ${least} to ${most}.`)
})

/** A date, which is its start, or a time; without an offset, in UTC. Null for any other text, of which `Date` guesses many. */
export const writtenTime = (text: string): Date | null => {
  const isWithoutOffset = dateTimeFault(text)?.type === "timezone_aware"
  const time = isWithoutOffset ? `${text}${text.length === 10 ? "T00:00" : ""}Z` : text
  return dateTimeFault(time) === undefined ? toDate(time) : null
}

export const timeOf = Effect.fnUntraced(function*(args: Arguments, option: string) {
  const text = args.value(option)
  if (text === undefined) return undefined
  return writtenTime(text) ?? (yield* calledWrongly(`--${option}: "${text}" is no time such as 2027-01-31T00:00:00Z.`))
})

export const expiryOf = (args: Arguments) =>
  Effect.map(timeOf(args, "expires"), (expires_at) => expires_at === undefined ? {} : { expires_at })
