/** What every source on the web is told: user name and password, where it asks for them. */
import { secret } from "@tributary/core/ports/Provider"
import { Redacted, Schema } from "effect"
import type { Credentials } from "./network/webClient.ts"

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
