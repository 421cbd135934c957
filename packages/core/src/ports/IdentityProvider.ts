/** Somebody else who knows people: where a browser is sent to sign in, and who comes back. */
import { Context, type Effect, type Redacted, Schema } from "effect"
import type { AuthenticationFailed } from "../model/Error.ts"

/** A person as the provider knows them: for ever the same by issuer and subject. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** Only one that the provider has verified; in lower case. */
  readonly email: string | null
  readonly name: string | null
}

/** The provider cannot be reached, or does not do as the protocol says. */
export class ProviderUnavailable extends Schema.TaggedError<ProviderUnavailable>()("ProviderUnavailable", {
  cause: Schema.Defect()
}) {}

/** Whose an access token is, and the scopes that it was issued for, whatever these mean to the provider. */
export interface Bearer extends Pick<Identity, "issuer" | "subject"> {
  readonly scopes: ReadonlyArray<string>
}

export interface AccessTokens {
  /** Where a program learns how to get one. */
  readonly issuer: string
  /** Judges one that has to be issued for `audience`, and for nothing else of the provider's. */
  verify(
    token: Redacted.Redacted,
    audience: string
  ): Effect.Effect<Bearer, AuthenticationFailed | ProviderUnavailable>
}

/** Unless the host provides one, nobody signs in this way. */
export const IdentityProvider = Context.Reference<
  {
    /** Where to send the browser, and what it must bring along when it comes back to `returnTo`. */
    begin(returnTo: string): Effect.Effect<
      { readonly url: string; readonly kept: string },
      ProviderUnavailable
    >
    /** Who came back; `returned` is the whole address, `kept` what the browser brought along. */
    finish(returned: string, kept: string): Effect.Effect<Identity, AuthenticationFailed | ProviderUnavailable>
    /** Whether a stranger with a verified e-mail gets an account. */
    readonly signUp: boolean
    /** Access tokens that the provider issues to programs; without it, people use programs by keys alone. */
    readonly accessTokens?: AccessTokens
  } | null
>("@tributary/core/ports/IdentityProvider", { defaultValue: () => null })
