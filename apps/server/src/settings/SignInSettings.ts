/** The identity provider of the console, by OpenID Connect. */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { failed } from "../UsageError.ts"
import { addressSetting, booleanSetting, setting, textSetting, type ValuesOf } from "./Setting.ts"

export const SIGN_IN_SETTINGS = {
  oidcIssuer: addressSetting(
    "TRIBUTARY_OIDC_ISSUER",
    "The OpenID Connect provider for signing in to the console. It requires the client id and secret, too.",
    "none: people sign in by links"
  ),
  oidcClientId: textSetting(
    "TRIBUTARY_OIDC_CLIENT_ID",
    "The client id at the provider. The return address is BASE_URL/console/api/provider/return."
  ),
  oidcClientSecret: setting("TRIBUTARY_OIDC_CLIENT_SECRET", {
    secret: true,
    description: "The client secret at the provider.",
    defaultText: "none",
    mustBe: "a text",
    read: (variable) => Config.schema(Schema.Redacted(Schema.String), variable).pipe(Config.option)
  }),
  oidcSignUp: booleanSetting(
    "TRIBUTARY_OIDC_SIGN_UP",
    "false",
    "Whether people without an invitation get an account, with the e-mail that the provider has verified."
  )
}

type Read = ValuesOf<typeof SIGN_IN_SETTINGS>

/** The identity provider, and this service's client id there. */
export interface Provider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  readonly signUp: boolean
}

export const providerOf = Effect.fnUntraced(
  function*({ oidcClientId, oidcClientSecret, oidcIssuer, oidcSignUp }: Read) {
    const isSet = [oidcIssuer, oidcClientId, oidcClientSecret].map((part: Option.Option<unknown>) =>
      Option.isSome(part)
    )
    if (!isSet.includes(true)) return null
    const provider = Option.all({ issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret })
    return yield* Effect.fromOption(
      Option.map(provider, (provider): Provider => ({ ...provider, signUp: oidcSignUp })),
      () => {
        const { oidcClientId, oidcClientSecret, oidcIssuer } = SIGN_IN_SETTINGS
        const names = [oidcIssuer, oidcClientId, oidcClientSecret].map(({ variable }) => variable)
        return failed(`${names.join(", ")}: either all of them are set, or none.`)
      }
    )
  }
)
