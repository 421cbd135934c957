/** Sign-in links and sessions. Secrets are shown once; only their hashes are stored. */
import { Schema } from "effect"
import { SessionId, UserId } from "./Id.ts"
import { optional } from "./optional.ts"
import { Email } from "./Email.ts"
import { text } from "./Text.ts"
import { Timestamp } from "./Timestamp.ts"

export const Session = Schema.Struct({
  session_id: SessionId,
  created_at: Timestamp,
  /** At most one minute late. */
  last_seen_at: Timestamp,
  /** Independent of activity. */
  expires_at: Timestamp,
  user_agent: Schema.NullOr(Schema.String),
  /** The network address where it began. */
  address: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Session" })
export type Session = typeof Session.Type

const HOUR = 3_600_000

/** In milliseconds: idle, and in total. */
export const SESSION_IDLE = 12 * HOUR
export const SESSION_LIFE = 14 * 24 * HOUR

/** The most sessions of a user; a new one ends the oldest. */
export const MAX_SESSIONS = 50

/** How long a sign-in link works, in milliseconds. */
export const LINK_LIFE = HOUR / 4

/** The token of a link. */
export const SignIn = Schema.Struct({ token: text(1, 200) })

/** For whom an operator wants a link: the user with the id or the e-mail, or else the owner of the account. */
export const NewSignInLink = Schema.Struct({
  /** The account of the user. Absent or null: allowed if it is unambiguous. */
  account_id: optional(text(1, 100)),
  /** The e-mail of the user, which you vouch for. Absent or null: the owner of the account. */
  email: optional(Email),
  /** The id of the user. Absent or null: the other fields identify the user. */
  user_id: optional(text(1, 100))
})
export type NewSignInLink = typeof NewSignInLink.Type

/** The new owner of an account. */
export const AccountOwner = Schema.Struct({
  /** The e-mail of the new owner, which you vouch for. Absent or null: the current owner. */
  email: optional(Email)
})

/** Signs in the first person who opens it. */
export const SignInLink = Schema.Struct({
  /** The link. It signs in the first person who opens it, once. */
  url: Schema.String,
  /** When the link expires. */
  expires_at: Timestamp
}).annotate({
  identifier: "SignInLink"
})

export const UserSignInLink = Schema.Struct({
  ...SignInLink.fields,
  /** The id of the user. */
  user_id: UserId,
  /** The e-mail of the user. Null: unknown. */
  email: Schema.NullOr(Schema.String),
  /** The display name. */
  name: Schema.String
}).annotate({ identifier: "UserSignInLink" })
export type UserSignInLink = typeof UserSignInLink.Type
