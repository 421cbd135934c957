/** `tributary console`: a link that signs in to the web console. */
import * as Effect from "effect/Effect"
import type { Arguments } from "../cli/Command.ts"
import { operatorClient } from "../transport/clients.ts"
import { chooseAccount } from "./chooseAccount.ts"
import { moment, onOneLine } from "../cli/printing.ts"

export const console = Effect.fnUntraced(function*(args: Arguments) {
  const email = args.value("email")
  const operator = yield* operatorClient(args)
  const { ask, client } = operator
  // The e-mail of a user says which account it is.
  const account_id = email === undefined
    ? yield* chooseAccount(args, operator, "a user with --email EMAIL")
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
