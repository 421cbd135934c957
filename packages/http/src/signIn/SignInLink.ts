/** Where a sign-in link leads. The token stands in the fragment, which no browser sends and so no log keeps. */
import type { Link } from "@tributary/core/Invitations"
import { Redacted } from "effect"

export const linkAt = (baseUrl: string, { expires_at, token }: Link) => ({
  url: `${baseUrl}/console/sign-in#token=${Redacted.value(token)}`,
  expires_at
})
