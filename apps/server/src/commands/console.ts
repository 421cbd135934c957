/** `tributary console`: a link that signs in to the web console. */
import * as Effect from "effect/Effect"
import type { Given } from "../command/Command.ts"
import { operator } from "../transport/connect.ts"
import { moment, onOneLine } from "./printing.ts"

export const console = Effect.fnUntraced(function*(given: Given) {
  const [email, account_id] = [given.value("email"), given.value("account")]
  const { ask, client } = yield* operator(given)
  const link = yield* ask(() =>
    client.signInLinks.create({
      ...(email !== undefined && { email }),
      ...(account_id !== undefined && { account_id })
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
