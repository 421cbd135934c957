/**
 * One-time sign-in links, and invitations.
 *
 * The link of an invitation never signs in as an existing user, because its creator could use it: it creates a user who
 * has proven nothing, or adds the user who is signed in. Only a user who has proven the e-mail joins at once.
 */
import { Clock, Context, Effect, Layer, Option, type Redacted } from "effect"
import { noSuch, orNoSuch } from "../internal/notFound.ts"
import { auditing } from "./auditing.ts"
import { newTemporarySecret } from "../internal/secret.ts"
import { uuid7 } from "../internal/uuid7.ts"
import { type NotFound, type StorageUnavailable, Unprocessable } from "../model/Error.ts"
import { type AccountId, InvitationId, parseId, UserId } from "../model/Id.ts"
import { type Invitation, MAX_INVITATIONS, type NewInvitation, principalOf, type User } from "../model/Person.ts"
import { OPERATOR } from "../model/Principal.ts"
import { LINK_LIFE, type NewSignInLink } from "../model/Session.ts"
import { DAY } from "../model/Day.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import { People } from "./People.ts"
import { type LinkSubject, PeopleStore } from "../ports/PeopleStore.ts"
import { WorkspaceStore } from "../ports/WorkspaceStore.ts"

/** A secret that signs in its bearer once, until it expires. */
export interface Link {
  readonly token: Redacted.Redacted
  readonly expires_at: Date
}

const INVITATION_LIFE = 7 * DAY

const isProven = ({ email_proof }: User): boolean => email_proof !== "none"

const unprocessable = (message: string) => new Unprocessable({ message })

export class Invitations extends Context.Service<Invitations, {
  /**
   * A sign-in link for the named user, by id or e-mail, or else for the owner of the account, who gets the e-mail if
   * the owner has none. For operators. The account may be omitted if it is unambiguous.
   */
  signInLink(wanted: NewSignInLink): Effect.Effect<
    Link & { readonly user: User },
    NotFound | Unprocessable | StorageUnavailable
  >
  /** The invitation and its link; neither if a user of the account has proven the e-mail, who joined at once. */
  invite(by: User, workspace: WorkspaceRecord, wanted: NewInvitation): Effect.Effect<
    { readonly invitation: Invitation; readonly link: Link } | null,
    Unprocessable | StorageUnavailable
  >
  /** The open ones, newest first. */
  list(workspace: WorkspaceRecord): Effect.Effect<ReadonlyArray<Invitation>, StorageUnavailable>
  /** A new link for an open invitation; the previous one stops working. */
  renewLink(by: User, workspace: WorkspaceRecord, invitationId: string): Effect.Effect<
    Link,
    NotFound | StorageUnavailable
  >
  revoke(by: User, workspace: WorkspaceRecord, invitationId: string): Effect.Effect<
    InvitationId,
    NotFound | StorageUnavailable
  >
}>()("@tributary/core/Invitations") {
  static readonly layer = Layer.effect(
    Invitations,
    Effect.gen(function*() {
      const store = yield* PeopleStore
      const people = yield* People
      const workspaces = yield* WorkspaceStore
      const audit = yield* auditing

      const newLink = Effect.fnUntraced(function*(subject: LinkSubject) {
        const expires_at = new Date((yield* Clock.currentTimeMillis) + LINK_LIFE)
        const { hash, secret } = yield* newTemporarySecret("sign-in link")
        yield* store.addLink(hash, subject, expires_at)
        return { token: secret, expires_at }
      })

      const onlyAccount = Effect.gen(function*() {
        let after: WorkspaceRecord["workspace_id"] | null = null
        let found: AccountId | null = null
        while (true) {
          const page: ReadonlyArray<WorkspaceRecord> = yield* workspaces.list({ accountId: null, after, limit: 100 })
          for (const { account_id, workspace_id } of page) {
            if (found !== null && found !== account_id) {
              return yield* unprocessable("There are several accounts: name one, or the e-mail of a user.")
            }
            found = account_id
            after = workspace_id
          }
          if (page.length < 100) return found ?? (yield* unprocessable("There is no account yet."))
        }
      })

      const named = Effect.fnUntraced(function*(userId: string, accountId: string | null) {
        const user = yield* orNoSuch("user", yield* store.find(yield* orNoSuch("user", parseId(UserId)(userId))))
        return accountId === null || user.account_id === accountId ? user : yield* noSuch("user")
      })

      const userOf = Effect.fnUntraced(function*({ account_id, email, user_id }: NewSignInLink) {
        if (typeof user_id === "string") return yield* named(user_id, account_id ?? null)
        if (typeof email !== "string") return yield* people.ownerOf(account_id ?? (yield* onlyAccount))
        const account = typeof account_id === "string" ? (yield* people.ownerOf(account_id)).account_id : null
        const [user, another] = yield* store.findByEmail(account, email, 2)
        if (user !== undefined && another !== undefined && isProven(user) === isProven(another)) {
          return yield* unprocessable(
            isProven(user)
              ? "Users of several accounts have this e-mail: name the account."
              : "Several users have this e-mail, and none has proven it: name one by `user_id`."
          )
        }
        if (user !== undefined) return user
        const owner = yield* people.ownerOf(account ?? (yield* onlyAccount))
        const renamed = owner.email === null ? yield* store.update(owner.user_id, { email }) : Option.none()
        return yield* Effect.fromOption(
          renamed,
          () => unprocessable("No user of the account has this e-mail. An owner can invite them in the console.")
        )
      })

      const signInLink = Effect.fn("Invitations.signInLink")(function*(wanted: NewSignInLink) {
        const user = yield* userOf(wanted)
        const link = yield* newLink({ user_id: user.user_id })
        const account = { account_id: user.account_id, workspace_id: null }
        yield* audit("sign_in_link.created", OPERATOR, account, user.user_id)
        return { ...link, user }
      })

      const invite = Effect.fn("Invitations.invite")(
        function*(by: User, workspace: WorkspaceRecord, { email, role }: NewInvitation) {
          if (workspace.kind === "personal") {
            return yield* unprocessable("A personal workspace belongs to its owner alone.")
          }
          const now = yield* Clock.currentTimeMillis
          const invitation: Invitation = {
            invitation_id: InvitationId.make(uuid7(now)),
            email,
            role,
            created_at: new Date(now),
            created_by: principalOf(by),
            expires_at: new Date(now + INVITATION_LIFE)
          }
          switch (yield* store.invite(workspace.workspace_id, invitation, MAX_INVITATIONS)) {
            case "present":
              return yield* unprocessable("This e-mail is a member's already.")
            case "full":
              return yield* unprocessable(`At most ${MAX_INVITATIONS} invitations of a workspace may be open.`)
            case "joined":
              yield* audit("member.added", principalOf(by), workspace, email, { role })
              return null
            case "invited":
              yield* audit("invitation.created", principalOf(by), workspace, invitation.invitation_id, { email, role })
              return { invitation, link: yield* newLink({ invitation_id: invitation.invitation_id }) }
          }
        }
      )

      const list = Effect.fn("Invitations.list")(function*({ workspace_id }: WorkspaceRecord) {
        return yield* store.invitations(workspace_id, new Date(yield* Clock.currentTimeMillis))
      })

      const renewLink = Effect.fn("Invitations.renewLink")(
        function*(by: User, workspace: WorkspaceRecord, invitationId: string) {
          const id = yield* orNoSuch("invitation", parseId(InvitationId)(invitationId))
          const open = yield* list(workspace)
          if (!open.some(({ invitation_id }) => invitation_id === id)) return yield* noSuch("invitation")
          const link = yield* newLink({ invitation_id: id })
          yield* audit("sign_in_link.created", principalOf(by), workspace, id)
          return link
        }
      )

      const revoke = Effect.fn("Invitations.revoke")(
        function*(by: User, workspace: WorkspaceRecord, invitationId: string) {
          const id = yield* orNoSuch("invitation", parseId(InvitationId)(invitationId))
          const { email } = yield* orNoSuch("invitation", yield* store.revokeInvitation(workspace.workspace_id, id))
          yield* audit("invitation.revoked", principalOf(by), workspace, id, { email })
          return id
        }
      )

      return Invitations.of({ signInLink, invite, list, renewLink, revoke })
    })
  )
}
