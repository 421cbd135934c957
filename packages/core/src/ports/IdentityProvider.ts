/** Somebody else who knows people: where a browser is sent to sign in, and who comes back. */
import { Context, type Effect, Schema } from "effect"
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
  } | null
>("@tributary/core/ports/IdentityProvider", { defaultValue: () => null })
