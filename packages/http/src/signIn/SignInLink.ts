/** Where a sign-in link leads. The token stands in the fragment, which no browser sends and so no log keeps. */
import type { Link } from "@tributary/core/Invitations"
import { Redacted } from "effect"

/** The link of an invitation, which is shown before it is used. */
export const invitationAt = (baseUrl: string, { expires_at, token }: Link) => ({
  url: `${baseUrl}/console/join#token=${Redacted.value(token)}`,
  expires_at
})

export const linkAt = (baseUrl: string, { expires_at, token }: Link) => ({
  url: `${baseUrl}/console/sign-in#token=${Redacted.value(token)}`,
  expires_at
})
