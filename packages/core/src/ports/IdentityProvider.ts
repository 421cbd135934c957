/** An external identity provider: it sends a browser to sign in, and reads who comes back. */
import { Context, type Effect, type Redacted, Schema } from "effect"
import type { AuthenticationFailed } from "../model/Error.ts"

/** A person at the provider, permanently identified by issuer and subject. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** Only an e-mail that the provider has verified. */
  readonly email: string | null
  readonly name: string | null
}

/** The provider cannot be reached, or violates the protocol. */
export class ProviderUnavailable extends Schema.TaggedError<ProviderUnavailable>()("ProviderUnavailable", {
  cause: Schema.Defect()
}) {}

/** The owner of an access token, and the scopes that it was issued with, as the provider defines them. */
export interface Bearer extends Pick<Identity, "issuer" | "subject"> {
  readonly scopes: ReadonlyArray<string>
}

export interface AccessTokens {
  /** Where a program finds out how to get one. */
  readonly issuer: string
  /** Verifies a token, which must have been issued for `audience` and nothing else. */
  verify(
    token: Redacted.Redacted,
    audience: string
  ): Effect.Effect<Bearer, AuthenticationFailed | ProviderUnavailable>
}

/** Without one from the host, nobody signs in this way. */
export const IdentityProvider = Context.Reference<
  {
    /** Where to send the browser, and the state that it must bring back to `returnTo`. */
    begin(returnTo: string): Effect.Effect<
      { readonly url: string; readonly kept: string },
      ProviderUnavailable
    >
    /** The person who came back. `returned` is the whole address, `kept` the state from the browser. */
    finish(returned: string, kept: string): Effect.Effect<Identity, AuthenticationFailed | ProviderUnavailable>
    /** Whether an unknown person with a verified e-mail gets an account. */
    readonly signUp: boolean
    /** Access tokens that the provider issues to programs; without it, programs use API keys only. */
    readonly accessTokens?: AccessTokens
  } | null
>("@tributary/core/ports/IdentityProvider", { defaultValue: () => null })
