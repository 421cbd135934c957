/**
 * One-time sign-in links, and invitations.
 *
 * The link of an invitation never signs in as an existing user, because its creator could use it: it creates a user who
 * has proven nothing, or adds the user who is signed in. Only a user who has proven the e-mail joins at once.
 */
import { Clock, Context, Effect, Layer, Option, type Redacted } from "effect"
import { orNotFound } from "../internal/notFound.ts"
import { auditing, type Note } from "./auditing.ts"
import { newTemporarySecret } from "../internal/secret.ts"
import { uuid7 } from "../internal/uuid7.ts"
import { type NotFound, type StorageUnavailable, Unprocessable } from "../model/Error.ts"
import { InvitationId, parseId } from "../model/Id.ts"
import { type Invitation, MAX_INVITATIONS, type NewInvitation, principalOf, type User } from "../model/Person.ts"
import { OPERATOR } from "../model/Principal.ts"
import { LINK_LIFE, type NewSignInLink } from "../model/Session.ts"
import { DAY } from "../model/Day.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import { signInUser } from "./signIn/signInUser.ts"
import { type LinkSubject, PeopleStore } from "../ports/PeopleStore.ts"

/** A secret that signs in its bearer once, until it expires. */
export interface Link {
  readonly token: Redacted.Redacted
  readonly expires_at: Date
}

const INVITATION_LIFE = 7 * DAY

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
      const audit = yield* auditing
      const findUser = yield* signInUser

      const newLink = Effect.fnUntraced(function*(subject: LinkSubject, ...notes: ReadonlyArray<Note>) {
        const expires_at = new Date((yield* Clock.currentTimeMillis) + LINK_LIFE)
        const { hash, secret } = yield* newTemporarySecret("sign-in link")
        yield* audit(store.addLink(hash, subject, expires_at), ...notes)
        return { token: secret, expires_at }
      })

      const signInLink = Effect.fn("Invitations.signInLink")(function*(wanted: NewSignInLink) {
        const user = yield* findUser(wanted)
        const link = yield* newLink({ user_id: user.user_id }, {
          action: "sign_in_link.created",
          by: OPERATOR,
          in: { account_id: user.account_id, workspace_id: null },
          subject: user.user_id
        })
        return { ...link, user }
      })

      const invite = Effect.fn("Invitations.invite")(
        function*(by: User, workspace: WorkspaceRecord, { email, role }: NewInvitation) {
          if (workspace.kind === "personal") {
            return yield* unprocessable("A personal workspace belongs to its owner alone.")
          }
          const now = yield* Clock.currentTimeMillis
          const invitation: Invitation = {
            invitation_id: uuid7<InvitationId>(now),
            email,
            role,
            created_at: new Date(now),
            created_by: principalOf(by),
            expires_at: new Date(now + INVITATION_LIFE)
          }
          const note = { by: principalOf(by), in: workspace }
          const invited = audit(
            store.invite(workspace.workspace_id, invitation, MAX_INVITATIONS),
            { ...note, action: "member.added", subject: email, details: { role } },
            { ...note, action: "invitation.created", subject: invitation.invitation_id, details: { email, role } }
          )
          switch (yield* invited) {
            case "present":
              return yield* unprocessable("This e-mail is a member's already.")
            case "full":
              return yield* unprocessable(`At most ${MAX_INVITATIONS} invitations of a workspace may be open.`)
            case "joined":
              return null
            case "invited":
              return { invitation, link: yield* newLink({ invitation_id: invitation.invitation_id }) }
          }
        }
      )

      const list = Effect.fn("Invitations.list")(function*({ workspace_id }: WorkspaceRecord) {
        return yield* store.invitations(workspace_id, new Date(yield* Clock.currentTimeMillis))
      })

      const findOpen = Effect.fnUntraced(function*(workspace: WorkspaceRecord, invitationId: string) {
        const id = yield* orNotFound("invitation", parseId(InvitationId)(invitationId))
        const found = (yield* list(workspace)).find(({ invitation_id }) => invitation_id === id)
        return yield* orNotFound("invitation", Option.fromUndefinedOr(found))
      })

      const renewLink = Effect.fn("Invitations.renewLink")(
        function*(by: User, workspace: WorkspaceRecord, invitationId: string) {
          const { invitation_id } = yield* findOpen(workspace, invitationId)
          const note = { action: "sign_in_link.created", by: principalOf(by), in: workspace } as const
          return yield* newLink({ invitation_id }, { ...note, subject: invitation_id })
        }
      )

      const revoke = Effect.fn("Invitations.revoke")(
        function*(by: User, workspace: WorkspaceRecord, invitationId: string) {
          const { email, invitation_id } = yield* findOpen(workspace, invitationId)
          const revoked = audit(store.revokeInvitation(workspace.workspace_id, invitation_id), {
            action: "invitation.revoked",
            by: principalOf(by),
            in: workspace,
            subject: invitation_id,
            details: { email }
          })
          return (yield* orNotFound("invitation", yield* revoked)).invitation_id
        }
      )

      return Invitations.of({ signInLink, invite, list, renewLink, revoke })
    })
  )
}
