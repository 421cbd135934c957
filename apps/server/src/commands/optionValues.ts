/** The values of options that several commands have: scopes, numbers and times. */
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

export const timeOf = Effect.fnUntraced(function*(args: Arguments, option: string) {
  const text = args.value(option)
  if (text === undefined) return undefined
  const time = new Date(text)
  return Number.isNaN(time.getTime())
    ? yield* calledWrongly(`--${option}: "${text}" is no time such as 2027-01-31T00:00:00Z.`)
    : time
})

export const expiryOf = (args: Arguments) =>
  Effect.map(timeOf(args, "expires"), (expires_at) => expires_at === undefined ? {} : { expires_at })
