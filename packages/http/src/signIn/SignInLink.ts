/** The address of a sign-in link. The token is in the fragment, which browsers never send, so no log contains it. */
import type { Link } from "@tributary/core/Invitations"
import { Redacted } from "effect"

/** The address of an invitation, which is shown before it is used. */
export const invitationAt = (baseUrl: string, { expires_at, token }: Link) => ({
  url: `${baseUrl}/console/join#token=${Redacted.value(token)}`,
  expires_at
})

export const linkAt = (baseUrl: string, { expires_at, token }: Link) => ({
  url: `${baseUrl}/console/sign-in#token=${Redacted.value(token)}`,
  expires_at
})
