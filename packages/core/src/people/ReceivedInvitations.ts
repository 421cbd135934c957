/** Invitations from the side of the invited person: shown, accepted or declined. */
import { Clock, Context, Effect, Layer, Option, type Redacted } from "effect"
import { hashOf, isTemporarySecret } from "../internal/secret.ts"
import { lookUp } from "../internal/lookUp.ts"
import { notFound, orNotFound } from "../internal/notFound.ts"
import { type NotFound, type StorageUnavailable } from "../model/Error.ts"
import { InvitationId, parseId, UserId, type WorkspaceId } from "../model/Id.ts"
import { isProven, MAX_RECEIVED, principalOf, type ReceivedInvitation, type User } from "../model/Person.ts"
import { type Invited, PeopleStore } from "../ports/PeopleStore.ts"
import { auditing } from "./auditing.ts"

export class ReceivedInvitations extends Context.Service<ReceivedInvitations, {
  /** Those of the user's proven e-mail, in every account, newest first. */
  list(user: User): Effect.Effect<ReadonlyArray<ReceivedInvitation>, StorageUnavailable>
  /** The invitation of a link, which remains open. */
  findByLink(link: Redacted.Redacted): Effect.Effect<ReceivedInvitation, NotFound | StorageUnavailable>
  /** Accepts an invitation of the user's proven e-mail. */
  accept(user: User, invitationId: string): Effect.Effect<WorkspaceId, NotFound | StorageUnavailable>
  /** Accepts by a link, whatever e-mail the invitation names. */
  acceptLink(user: User, link: Redacted.Redacted): Effect.Effect<WorkspaceId, NotFound | StorageUnavailable>
  decline(user: User, invitationId: string): Effect.Effect<InvitationId, NotFound | StorageUnavailable>
}>()("@tributary/core/ReceivedInvitations") {
  static readonly layer = Layer.effect(
    ReceivedInvitations,
    Effect.gen(function*() {
      const store = yield* PeopleStore
      const audit = yield* auditing

      const inviterOf = Effect.fnUntraced(function*({ invitation: { created_by } }: Invited) {
        if (created_by.type !== "user") return null
        const user = Option.getOrNull(yield* lookUp(UserId, created_by.id, (id) => store.find(id)))
        return user === null ? null : { name: user.name, email: isProven(user) ? user.email : null }
      })

      const shown = Effect.fnUntraced(function*(invited: Invited) {
        return { ...invited.invitation, workspace_name: invited.workspace.name, inviter: yield* inviterOf(invited) }
      })

      const received = Effect.fnUntraced(function*(user: User) {
        const { email } = user
        if (email === null || !isProven(user)) return []
        return yield* store.received(email, new Date(yield* Clock.currentTimeMillis), MAX_RECEIVED)
      })

      const list = Effect.fn("ReceivedInvitations.list")(function*(user: User) {
        return yield* Effect.forEach(yield* received(user), shown)
      })

      const findByLink = Effect.fn("ReceivedInvitations.findByLink")(function*(link: Redacted.Redacted) {
        if (!isTemporarySecret(link)) return yield* notFound("invitation")
        const now = new Date(yield* Clock.currentTimeMillis)
        return yield* shown(yield* orNotFound("invitation", yield* store.linked(yield* hashOf(link), now)))
      })

      const join = Effect.fnUntraced(function*(user: User, by: Parameters<typeof store.join>[1]) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const joined = audit(store.join(user.user_id, by, now), {
          action: "member.joined",
          by: principalOf(user),
          in: { account_id: null, workspace_id: null },
          subject: user.user_id,
          details: { email: user.email, email_proof: user.email_proof }
        })
        return (yield* orNotFound("invitation", yield* joined)).workspace.workspace_id
      })

      const accept = Effect.fn("ReceivedInvitations.accept")(function*(user: User, invitationId: string) {
        return yield* join(user, {
          invitation_id: yield* orNotFound("invitation", parseId(InvitationId)(invitationId))
        })
      })

      const acceptLink = Effect.fn("ReceivedInvitations.acceptLink")(function*(user: User, link: Redacted.Redacted) {
        return isTemporarySecret(link)
          ? yield* join(user, { link: yield* hashOf(link) })
          : yield* notFound("invitation")
      })

      const decline = Effect.fn("ReceivedInvitations.decline")(function*(user: User, invitationId: string) {
        const id = yield* orNotFound("invitation", parseId(InvitationId)(invitationId))
        const found = (yield* received(user)).find(({ invitation }) => invitation.invitation_id === id)
        const { invitation, workspace } = yield* orNotFound("invitation", Option.fromUndefinedOr(found))
        const declined = audit(store.decline(user.user_id, id), {
          action: "invitation.declined",
          by: principalOf(user),
          in: workspace,
          subject: id,
          details: { email: invitation.email }
        })
        return (yield* orNotFound("invitation", yield* declined)).invitation.invitation_id
      })

      return ReceivedInvitations.of({ list, findByLink, accept, acceptLink, decline })
    })
  )
}
