/** What every source on the web is told: an address, and user name and password where it asks for them. */
import { violatedBy } from "@tributary/core/model/Violation"
import { secret } from "@tributary/core/ports/Provider"
import { Redacted, Schema } from "effect"
import type { Credentials } from "./network/webClient.ts"

const LOGIN_IN_ADDRESS = "user name and password have fields of their own"

const hasLogin = (url: string): boolean => {
  if (!URL.canParse(url)) return false
  const { password, username } = new URL(url)
  return username !== "" || password !== ""
}

/** Addresses are shown, and named in messages. */
export const withoutLogin = violatedBy<string>(
  (url) =>
    hasLogin(url)
      ? {
        type: "url_parsing",
        message: `Input should be a valid URL, ${LOGIN_IN_ADDRESS}`,
        context: { error: LOGIN_IN_ADDRESS }
      }
      : undefined,
  // Nothing of it can be said there, but what annotates the last check would be left out with it.
  {}
)

export const LoginFields = {
  username: Schema.optionalKey(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(512))).annotate({
    title: "User name"
  }),
  password: Schema.optionalKey(secret(Schema.String.check(Schema.isMaxLength(4_096)))).annotate({
    title: "Password",
    description: "Or an access token."
  })
}

export const credentialsOf = (
  { password, username }: { readonly username?: string; readonly password?: Redacted.Redacted }
): Credentials | undefined =>
  username === undefined && password === undefined
    ? undefined
    : { username: username ?? "", password: password === undefined ? "" : Redacted.value(password) }
