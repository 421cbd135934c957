/** Signing in, and sessions. */
import { Clock, Context, Effect, Layer, Option, type Redacted } from "effect"
import { ClientAddress } from "./clientAddress.ts"
import { ownedAccount } from "./accounts/newAccount.ts"
import { accountOf, failedSignIns } from "./signIn/failedSignIns.ts"
import { signInLimits } from "./signIn/signInLimits.ts"
import { isFromFuture } from "../internal/clockSkew.ts"
import { notFound, orNotFound } from "../internal/notFound.ts"
import { auditing, type Note } from "./auditing.ts"
import { hashOf, isTemporarySecret, newTemporarySecret } from "../internal/secret.ts"
import { sha256Hex } from "../internal/sha256.ts"
import { uuid7 } from "../internal/uuid7.ts"
import { emailOf } from "../model/Email.ts"
import { AuthenticationFailed, type NotFound, type RateLimitExceeded, type StorageUnavailable } from "../model/Error.ts"
import { parseId, SessionId, type UserId, WorkspaceId } from "../model/Id.ts"
import { type Membership, principalOf, type User } from "../model/Person.ts"
import type { Principal } from "../model/Principal.ts"
import { MAX_SESSIONS, type Session, SESSION_IDLE, SESSION_LIFE } from "../model/Session.ts"
import { type Identity, IdentityProvider, type ProviderUnavailable } from "../ports/IdentityProvider.ts"
import { type Invited, PeopleStore } from "../ports/PeopleStore.ts"
import { type Moment, SessionStore } from "../ports/SessionStore.ts"
import type { Stored } from "../ports/Storage.ts"

/** The user who is signed in, and the session. */
export interface SignedIn {
  readonly user: User
  readonly session: Session
}

const AGENT_LENGTH = 300

const momentOf = (now: number): Moment => ({ now: new Date(now), seenAfter: new Date(now - SESSION_IDLE) })

const refused = () => new AuthenticationFailed({ message: "This sign-in link is unknown, used up or expired." })

export class Sessions extends Context.Service<Sessions, {
  /** Consumes a link. The session's secret is new, whatever the caller sent. */
  signIn(link: Redacted.Redacted, userAgent: string | null): Effect.Effect<
    SignedIn & { readonly secret: Redacted.Redacted },
    AuthenticationFailed | RateLimitExceeded | StorageUnavailable
  >
  /** Whether people can sign in by an identity provider. */
  readonly hasProvider: boolean
  /** The provider's sign-in address, and the state that the browser must bring back to `returnTo`. */
  toProvider(returnTo: string): Effect.Effect<
    { readonly url: string; readonly kept: string },
    NotFound | ProviderUnavailable
  >
  /**
   * Signs in the person who returns to the address `returned`. The first time, the verified e-mail is matched with a
   * user for whose e-mail the operator vouches. Anybody else gets an account if sign-up is on, or becomes a guest while
   * an invitation is open. Signing in never accepts an invitation.
   */
  fromProvider(returned: string, kept: string, userAgent: string | null): Effect.Effect<
    SignedIn & { readonly secret: Redacted.Redacted },
    AuthenticationFailed | NotFound | ProviderUnavailable | RateLimitExceeded | StorageUnavailable
  >
  /** The user of a session, with the role in the workspace if one is named; null if the session is invalid. */
  authenticate(secret: Redacted.Redacted, workspaceId: string | null): Effect.Effect<
    SignedIn & { readonly membership: Membership | null },
    AuthenticationFailed | StorageUnavailable
  >
  /** Newest first. */
  list(user: User): Effect.Effect<ReadonlyArray<Session>, StorageUnavailable>
  /** Ends a session of the same user. */
  end(user: User, sessionId: string): Effect.Effect<SessionId, NotFound | StorageUnavailable>
  endAll(user: User): Effect.Effect<void, StorageUnavailable>
}>()("@tributary/core/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function*() {
      const store = yield* SessionStore
      const peopleStore = yield* PeopleStore
      const audit = yield* auditing
      const { noteFailedIdentity, noteFailedLink } = yield* failedSignIns
      const provider = Option.fromNullOr(yield* IdentityProvider)
      const limited = signInLimits()

      const openSession = Effect.fnUntraced(function*(
        userAgent: string | null,
        signIn: (
          session: Session,
          hash: string,
          options: { readonly newUserId: UserId; readonly maximum: number }
        ) => Stored<Option.Option<User>>,
        invited: Option.Option<Invited> = Option.none()
      ) {
        const now = yield* Clock.currentTimeMillis
        const { hash, secret } = yield* newTemporarySecret("session")
        const session: Session = {
          session_id: uuid7<SessionId>(now),
          created_at: new Date(now),
          last_seen_at: new Date(now),
          expires_at: new Date(now + SESSION_LIFE),
          user_agent: userAgent?.slice(0, AGENT_LENGTH) ?? null,
          address: yield* ClientAddress
        }
        const newUserId = uuid7<UserId>(now)
        const by: Principal = { type: "user", id: newUserId }
        const joined = Option.map(invited, ({ invitation: { email, role }, workspace }): Note => ({
          action: "member.joined",
          by,
          in: workspace,
          subject: newUserId,
          details: { email, role }
        }))
        const user = yield* audit(
          signIn(session, hash, { newUserId, maximum: MAX_SESSIONS }),
          ...Option.toArray(joined),
          { action: "session.started", by, in: accountOf({ account_id: null }), subject: session.session_id }
        )
        return Option.map(user, (user) => ({ user, session, secret }))
      })

      const signIn = Effect.fn("Sessions.signIn")(function*(link: Redacted.Redacted, userAgent: string | null) {
        // Looked up by its hash, so that timing reveals nothing about the link.
        const linkHash = yield* hashOf(link)
        const linked = peopleStore.linked(linkHash, new Date(yield* Clock.currentTimeMillis))
        const attempt = isTemporarySecret(link)
          ? Effect.flatMap(
            linked,
            (invited) =>
              openSession(
                userAgent,
                (session, hash, options) => store.signIn(linkHash, session, hash, options),
                invited
              )
          )
            .pipe(Effect.flatMap((opened) => Effect.fromOption(opened, refused)))
          : Effect.fail(refused())
        return yield* limited(linkHash, attempt, noteFailedLink(linkHash))
      })

      const signInAs = Effect.fnUntraced(function*(identity: Identity, userAgent: string | null, signUp: boolean) {
        const { email, name } = identity
        const opened = yield* openSession(
          userAgent,
          (session, hash, options) => {
            const account = signUp && email !== null
              ? ownedAccount({ name: name ?? email, email }, options.newUserId, session.created_at.getTime())
              : null
            return store.signInAs(identity, session, hash, { ...options, account })
          }
        )
        if (Option.isSome(opened)) return opened.value
        if (email !== null) yield* noteFailedIdentity(email)
        return yield* new AuthenticationFailed({ message: "Nobody has invited this e-mail." })
      })

      const fromProvider = Effect.fn("Sessions.fromProvider")(
        function*(returned: string, kept: string, userAgent: string | null) {
          const { finish, signUp } = yield* orNotFound("identity provider", provider)
          const attempt = Effect.flatMap(
            finish(returned, kept),
            (identity) => {
              const email = identity.email === null ? null : emailOf(identity.email)
              return signInAs({ ...identity, email }, userAgent, signUp)
            }
          )
          return yield* limited(yield* sha256Hex(kept), attempt, Effect.void)
        }
      )

      const authenticate = Effect.fn("Sessions.authenticate")(
        function*(secret: Redacted.Redacted, workspaceId: string | null) {
          if (!isTemporarySecret(secret)) return yield* new AuthenticationFailed()
          const workspace = workspaceId === null ? null : Option.getOrNull(parseId(WorkspaceId)(workspaceId))
          const now = yield* Clock.currentTimeMillis
          const found = yield* store.authenticate(yield* hashOf(secret), workspace, momentOf(now))
          // One that begins later would last longer than a session.
          const begun = Option.filter(found, ({ session }) => !isFromFuture(session.created_at.getTime(), now))
          return yield* Effect.fromOption(begun, () => new AuthenticationFailed())
        }
      )

      const list = Effect.fn("Sessions.list")(function*({ user_id }: User) {
        return yield* store.list(user_id, momentOf(yield* Clock.currentTimeMillis))
      })

      const end = Effect.fn("Sessions.end")(function*(user: User, sessionId: string) {
        const id = yield* orNotFound("session", parseId(SessionId)(sessionId))
        if (!(yield* list(user)).some(({ session_id }) => session_id === id)) return yield* notFound("session")
        const note = { action: "session.ended", by: principalOf(user), in: accountOf(user), subject: id } as const
        const ended = yield* audit(store.end(user.user_id, id), note)
        return ended === 0 ? yield* notFound("session") : id
      })

      const endAll = Effect.fn("Sessions.endAll")(function*(user: User) {
        yield* audit(store.end(user.user_id, null), {
          action: "sessions.ended",
          by: principalOf(user),
          in: accountOf(user),
          subject: user.user_id
        })
      })

      return Sessions.of({
        signIn,
        hasProvider: Option.isSome(provider),
        toProvider: Effect.fn("Sessions.toProvider")(function*(returnTo: string) {
          return yield* (yield* orNotFound("identity provider", provider)).begin(returnTo)
        }),
        fromProvider,
        authenticate,
        list,
        end,
        endAll
      })
    })
  )
}
