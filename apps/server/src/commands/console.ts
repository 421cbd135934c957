/** `tributary console`: a link that signs in to the web console. */
import * as Effect from "effect/Effect"
import type { Arguments } from "../command/Command.ts"
import { operator } from "../transport/connect.ts"
import { accountOf } from "./account.ts"
import { moment, onOneLine } from "../command/printing.ts"

export const console = Effect.fnUntraced(function*(args: Arguments) {
  const email = args.value("email")
  const reached = yield* operator(args)
  const { ask, client } = reached
  // The e-mail of a user says which account it is.
  const account_id = email === undefined
    ? yield* accountOf(args, reached, "a user with --email EMAIL")
    : args.value("account") ?? null
  const link = yield* ask(() =>
    client.signInLinks.create({
      ...(email !== undefined && { email }),
      ...(account_id !== null && { account_id })
    })
  )
  return {
    json: link,
    text: [
      link.url,
      "",
      `Signs in ${onOneLine(link.email ?? link.name)}, once, until ${
        moment(link.expires_at)
      }. The first browser that opens it is signed in.`
    ].join("\n")
  }
}, Effect.scoped)
