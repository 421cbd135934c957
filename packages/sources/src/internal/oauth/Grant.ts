/** Access to an account by OAuth 2.0, for servers that take no passwords: its fields in a configuration. */
import { MISSING, UNEXPECTED, violated, type Violation } from "@tributary/core/model/Violation"
import { secret } from "@tributary/core/ports/Provider"
import { type Redacted, Schema } from "effect"
import { soundAddress } from "../webConfig.ts"

const text = (maxLength: number) => Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(maxLength))

/** The secret that an authorization server may replace. */
export const REFRESH_TOKEN = "oauth_refresh_token"

export const GrantFields = {
  oauth_token_url: Schema.optionalKey(
    text(2_048).check(Schema.isPattern(/^https?:\/\//i), soundAddress)
  ).annotate({
    title: "OAuth: token endpoint",
    description: "For servers that take no passwords, such as Microsoft 365, instead of the password."
  }),
  oauth_client_id: Schema.optionalKey(text(512)).annotate({ title: "OAuth: client id" }),
  oauth_client_secret: Schema.optionalKey(secret(text(4_096))).annotate({
    title: "OAuth: client secret",
    description: "If the client has one."
  }),
  [REFRESH_TOKEN]: Schema.optionalKey(secret(text(16_384))).annotate({ title: "OAuth: refresh token" }),
  oauth_scope: Schema.optionalKey(text(2_048)).annotate({
    title: "OAuth: scope",
    description: "Default: that of the refresh token."
  })
}

type Fields = Schema.Struct<typeof GrantFields>["Type"]

export interface Grant {
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted | undefined
  readonly refreshToken: Redacted.Redacted
  readonly scope: string | undefined
}

/** Undefined if the account has a password. */
export const grantOf = (config: Fields): Grant | undefined => {
  const { oauth_client_id: clientId, oauth_refresh_token: refreshToken, oauth_token_url: tokenUrl } = config
  if (clientId === undefined || refreshToken === undefined || tokenUrl === undefined) return undefined
  return { clientId, refreshToken, tokenUrl, clientSecret: config.oauth_client_secret, scope: config.oauth_scope }
}

const at = (violation: Violation, name: string): Violation => ({ ...violation, path: [name] })

/** A password, or everything of a grant that is not optional. */
export const passwordOrGrant = violated<Fields & { readonly password?: Redacted.Redacted }>(
  ({ password, ...config }) => {
    if (!Object.keys(GrantFields).some((name) => name in config)) {
      return password === undefined ? [at(MISSING, "password")] : []
    }
    const needed = ["oauth_token_url", "oauth_client_id", REFRESH_TOKEN] as const
    return [
      ...password === undefined ? [] : [at(UNEXPECTED, "password")],
      ...needed.filter((name) => config[name] === undefined).map((name) => at(MISSING, name))
    ]
  }
)
