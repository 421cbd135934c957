/** Options for new credentials: scopes and expiry. */
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { Given } from "../command/Command.ts"
import { calledWrongly } from "../transport/failures.ts"

export const scopesOf = Effect.fnUntraced(function*<Scope extends string>(
  given: Given,
  { literals }: Schema.Literals<ReadonlyArray<Scope>>,
  unlessTold: ReadonlyArray<Scope>
) {
  const known = (text: string) => literals.find((scope) => scope === text)
  const texts = given.values("scope").flatMap((value) => value.split(","))
  const unknown = texts.find((text) => known(text) === undefined)
  if (unknown !== undefined) {
    return yield* calledWrongly(`There is no scope "${unknown}". There are: ${literals.join(", ")}.`)
  }
  return texts.length === 0 ? unlessTold : texts.flatMap((text) => known(text) ?? [])
})

export const expiryOf = Effect.fnUntraced(function*(given: Given) {
  const text = given.value("expires")
  if (text === undefined) return {}
  const expires_at = new Date(text)
  if (Number.isNaN(expires_at.getTime())) return yield* calledWrongly(`--expires: "${text}" is no time.`)
  return { expires_at }
})
