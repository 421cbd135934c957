/**
 * The people of an account and their roles.
 *
 * Without a role, the error is the same for a workspace that exists and for one that does not.
 */
import { Clock, Context, Effect, Layer, Option } from "effect"
import { ownerOf as newOwner } from "./accounts/ownerOf.ts"
import { auditing } from "./auditing.ts"
import { paged } from "../internal/paged.ts"
import { lookUp } from "../internal/lookUp.ts"
import { notFound, orNotFound } from "../internal/notFound.ts"
import { uuid7 } from "../internal/uuid7.ts"
import { cursorOf } from "../model/Cursor.ts"
import {
  type NotFound,
  PermissionDenied,
  type StorageUnavailable,
  Unprocessable,
  workspaceSuspended
} from "../model/Error.ts"
import { AccountId, parseId, UserId, WorkspaceId } from "../model/Id.ts"
import type { InvalidCursor, Page, PageRequest } from "../model/Page.ts"
import { isProven, type Member, type Membership, principalOf, type Role, type User } from "../model/Person.ts"
import { OPERATOR } from "../model/Principal.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import { PeopleStore } from "../ports/PeopleStore.ts"
import { WorkspaceStore } from "../ports/WorkspaceStore.ts"

const workspaceCursor = cursorOf("own workspaces", WorkspaceId)
const memberCursor = cursorOf("members", UserId)

/** Members that are read at once in search of another owner. */
const MEMBERS_AT_ONCE = 100

const needsOwner = () => new PermissionDenied({ message: "Only an owner of the workspace may do this." })
const ofAccount = () =>
  new PermissionDenied({ message: "The owner of the account remains an owner of its workspaces." })
const lastOwner = () => new Unprocessable({ message: "A workspace keeps at least one owner." })

export class People extends Context.Service<People, {
  /** The owner of the account's personal workspace, who is created if absent. */
  ownerOf(accountId: string): Effect.Effect<User, NotFound | StorageUnavailable>
  /**
   * Makes the user who has proven the e-mail, or a new one, the owner of the account; without an e-mail, makes the
   * current owner an owner of all its workspaces again. For operators.
   */
  setOwner(accountId: string, email: string | null): Effect.Effect<User, NotFound | StorageUnavailable>
  rename(user: User, name: string): Effect.Effect<User, NotFound | StorageUnavailable>
  /** The workspace, if the user is a member; an owner, if `role` requires it. */
  permitted(
    user: User,
    workspaceId: string,
    role: Role
  ): Effect.Effect<WorkspaceRecord, PermissionDenied | StorageUnavailable>
  /** The workspace, if the user is a member and its content is not closed because it is suspended. */
  readable(user: User, workspaceId: string): Effect.Effect<WorkspaceRecord, PermissionDenied | StorageUnavailable>
  /** The personal workspace of the user's account, which the user must own; or of the given account. */
  permittedAccount(
    user: Pick<User, "user_id">,
    accountId?: AccountId
  ): Effect.Effect<WorkspaceRecord, PermissionDenied | StorageUnavailable>
  /** The user's workspaces, oldest first. */
  workspaces(
    user: Pick<User, "user_id">,
    page: PageRequest
  ): Effect.Effect<Page<Membership>, InvalidCursor | StorageUnavailable>
  members(workspace: WorkspaceRecord, page: PageRequest): Effect.Effect<
    Page<Member>,
    InvalidCursor | StorageUnavailable
  >
  /**
   * Changes a role, or removes the member (null), at once. The role of the account's owner cannot be changed by others.
   */
  setRole(by: User, workspace: WorkspaceRecord, memberId: string, role: Role | null): Effect.Effect<
    UserId,
    NotFound | PermissionDenied | Unprocessable | StorageUnavailable
  >
}>()("@tributary/core/People") {
  static readonly layer = Layer.effect(
    People,
    Effect.gen(function*() {
      const store = yield* PeopleStore
      const workspaceStore = yield* WorkspaceStore
      const audit = yield* auditing

      const ownerOf = Effect.fn("People.ownerOf")(function*(accountId: string) {
        const account = yield* lookUp(AccountId, accountId, (id) => workspaceStore.findAccount(id))
        const candidate = newOwner(yield* orNotFound("account", account), yield* Clock.currentTimeMillis)
        return yield* orNotFound("account", yield* store.owner(candidate))
      })

      const setOwner = Effect.fn("People.setOwner")(function*(accountId: string, email: string | null) {
        const present = yield* ownerOf(accountId)
        const now = yield* Clock.currentTimeMillis
        const [known] = email === null ? [present] : yield* store.findByEmail(present.account_id, email, 1)
        const wanted: User = known !== undefined && (email === null || isProven(known)) ? known : {
          user_id: uuid7<UserId>(now),
          account_id: present.account_id,
          email,
          email_proof: "operator",
          name: email ?? present.name,
          created_at: new Date(now)
        }
        const set = audit(store.setOwner(wanted, new Date(now)), {
          action: "account.owner_set",
          by: OPERATOR,
          in: { account_id: present.account_id, workspace_id: null },
          subject: wanted.user_id,
          details: { before: present.user_id }
        })
        return yield* orNotFound("account", yield* set)
      })

      const permitted = Effect.fn("People.permitted")(function*(user: User, workspaceId: string, role: Role) {
        const found = yield* lookUp(WorkspaceId, workspaceId, (id) => store.membership(user.user_id, id))
        const membership = yield* Effect.fromOption(found, () => new PermissionDenied())
        if (role === "owner" && membership.role !== "owner") return yield* needsOwner()
        return membership.workspace
      })

      const readable = Effect.fn("People.readable")(function*(user: User, workspaceId: string) {
        const workspace = yield* permitted(user, workspaceId, "member")
        return workspace.suspended ? yield* workspaceSuspended() : workspace
      })

      const permittedAccount = Effect.fn("People.permittedAccount")(function*(
        user: Pick<User, "user_id">,
        accountId?: AccountId
      ) {
        const own = yield* store.personal(user.user_id)
        if (Option.isSome(own) && own.value.account_id === (accountId ?? own.value.account_id)) return own.value
        return yield* new PermissionDenied({ message: "Only the owner of the account may do this." })
      })

      const hasOtherOwner = Effect.fnUntraced(function*(workspaceId: WorkspaceId, userId: UserId) {
        for (let after: UserId | null | undefined = null; after !== undefined;) {
          const members: ReadonlyArray<Member> = yield* store.members(workspaceId, { after, limit: MEMBERS_AT_ONCE })
          if (members.some(({ role, user_id }) => role === "owner" && user_id !== userId)) return true
          after = members.at(-1)?.user_id
        }
        return false
      })

      const setRole = Effect.fn("People.setRole")(
        function*(by: User, workspace: WorkspaceRecord, memberId: string, role: Role | null) {
          const id = yield* orNotFound("user", parseId(UserId)(memberId))
          const owner = yield* ownerOf(workspace.account_id)
          if (id === owner.user_id && by.user_id !== id) return yield* ofAccount()
          const { workspace_id } = workspace
          const membership = yield* orNotFound("user", yield* store.membership(id, workspace_id))
          const isOwnerLost = membership.role === "owner" && role !== "owner"
          if (isOwnerLost && !(yield* hasOtherOwner(workspace_id, id))) return yield* lastOwner()
          const note = { by: principalOf(by), in: workspace, subject: id }
          const change = audit(
            store.setRole(workspace_id, id, role),
            role === null
              ? { ...note, action: "member.removed" }
              : { ...note, action: "member.changed", details: { role } }
          )
          switch (yield* change) {
            case "absent":
              return yield* notFound("user")
            case "last_owner":
              return yield* lastOwner()
            case "changed":
              return id
          }
        }
      )

      return People.of({
        ownerOf,
        setOwner,
        rename: Effect.fn("People.rename")(function*({ user_id }: User, name: string) {
          return yield* orNotFound("user", yield* store.update(user_id, { name }))
        }),
        permitted,
        readable,
        permittedAccount,
        workspaces: Effect.fn("People.workspaces")(({ user_id }: Pick<User, "user_id">, page: PageRequest) =>
          paged(
            workspaceCursor,
            page,
            ({ workspace }: Membership) => workspace.workspace_id,
            (after, limit) => store.memberships(user_id, { after, limit })
          )
        ),
        members: Effect.fn("People.members")(({ workspace_id }: WorkspaceRecord, page: PageRequest) =>
          paged(
            memberCursor,
            page,
            (member: Member) => member.user_id,
            (after, limit) => store.members(workspace_id, { after, limit })
          )
        ),
        setRole
      })
    })
  )
}
