/** The account that a command is about: the one that is named, or the only one. */
import * as Effect from "effect/Effect"
import type { Arguments } from "../command/Command.ts"
import { calledWrongly } from "../command/UsageError.ts"
import type { operator } from "../transport/connect.ts"

type Operator = Effect.Success<ReturnType<typeof operator>>

export const allWorkspaces = ({ ask, client }: Operator) => ask(() => client.workspaces.list({ limit: 100 }).toArray())

/** Null if there is no account yet. `otherwise`: what else the caller can do if there are several. */
export const accountOf = Effect.fnUntraced(function*(args: Arguments, reached: Operator, otherwise: string) {
  const named = args.value("account")
  if (named !== undefined) return named
  const accounts = new Set((yield* allWorkspaces(reached)).map(({ account_id }) => account_id))
  if (accounts.size > 1) {
    const ids = Array.from(accounts, (id) => `\n  ${id}`).join("")
    return yield* calledWrongly(`There are several accounts; choose one with --account ID, or ${otherwise}:${ids}`)
  }
  return [...accounts][0] ?? null
})
