/** Accounts and their workspaces: one personal, and shared ones up to the plan's limit. */
import { Clock, Context, Effect, Layer, Option } from "effect"
import { lookUp } from "../internal/lookUp.ts"
import { notFound, orNotFound } from "../internal/notFound.ts"
import { keyCreation, workspaceCreation } from "./accounts/creations.ts"
import { newAccount, newWorkspace } from "./accounts/newAccount.ts"
import { ownerOf } from "./accounts/ownerOf.ts"
import { auditing } from "./auditing.ts"
import { paged } from "../internal/paged.ts"
import { eraseWorkspaceJob } from "../jobs/maintenanceJobs.ts"
import { keyOf } from "../model/ApiKey.ts"
import { cursorOf } from "../model/Cursor.ts"
import { type NotFound, PermissionDenied, type StorageUnavailable, Unprocessable } from "../model/Error.ts"
import { AccountId, WorkspaceId } from "../model/Id.ts"
import type { InvalidCursor, Page, PageRequest } from "../model/Page.ts"
import { OPERATOR, type Principal } from "../model/Principal.ts"
import {
  limitsFor,
  type NewAccount,
  type SharedAllowance,
  type WorkspacePatch,
  type WorkspaceRecord
} from "../model/Workspace.ts"
import type { HashedKey } from "../ports/ApiKeyStore.ts"
import { PeopleStore } from "../ports/PeopleStore.ts"
import { WorkspaceStore } from "../ports/WorkspaceStore.ts"

const cursor = cursorOf("workspaces", WorkspaceId)

const accountSuspended = () => new PermissionDenied({ message: "The account's personal workspace is suspended." })

const allowanceUsedUp = (allowance: number | null): Unprocessable =>
  new Unprocessable({
    message: `This plan allows ${allowance} shared workspace${allowance === 1 ? "" : "s"}, and no more.`
  })

export class Workspaces extends Context.Service<Workspaces, {
  /**
   * With people and an e-mail, the owner exists from now on, so that an identity provider can sign it in without a link
   * before. Otherwise there is no owner yet.
   */
  createAccount(account: NewAccount): Effect.Effect<
    { readonly account_id: AccountId; readonly personal_workspace: WorkspaceRecord },
    StorageUnavailable
  >
  /** Creates a shared workspace beyond the allowance, for operators. It has the account's tier. */
  addShared(accountId: string, name: string): Effect.Effect<WorkspaceRecord, NotFound | StorageUnavailable>
  /**
   * Creates a shared workspace of `member`'s account, within its allowance; if a key creates it, they are suspended
   * together. `first`: its first key. `PermissionDenied`: the account's personal workspace is suspended.
   */
  createShared(
    member: WorkspaceRecord,
    name: string,
    by: Principal,
    first?: HashedKey
  ): Effect.Effect<WorkspaceRecord, PermissionDenied | Unprocessable | StorageUnavailable>
  /** The use of the allowance for shared workspaces in `member`'s account. */
  sharedAllowance(member: WorkspaceRecord): Effect.Effect<SharedAllowance, StorageUnavailable>
  find(workspaceId: string): Effect.Effect<WorkspaceRecord, NotFound | StorageUnavailable>
  /** Of one account, or of all (null), oldest first. */
  list(
    accountId: AccountId | null,
    page: PageRequest
  ): Effect.Effect<Page<WorkspaceRecord>, InvalidCursor | StorageUnavailable>
  /** Its plan and limits, for operators. */
  update(workspaceId: string, patch: WorkspacePatch): Effect.Effect<WorkspaceRecord, NotFound | StorageUnavailable>
  rename(
    workspaceId: WorkspaceId,
    name: string,
    by: Principal
  ): Effect.Effect<WorkspaceRecord, NotFound | StorageUnavailable>
  /** Closed for every caller at once; a job erases its data. */
  erase(workspaceId: string): Effect.Effect<WorkspaceId, NotFound | StorageUnavailable>
  eraseAccount(accountId: string): Effect.Effect<AccountId, NotFound | StorageUnavailable>
}>()("@tributary/core/Workspaces") {
  static readonly layer = Layer.effect(
    Workspaces,
    Effect.gen(function*() {
      const store = yield* WorkspaceStore
      const audit = yield* auditing
      const hasPeople = Option.isSome(yield* Effect.serviceOption(PeopleStore))

      const createAccount = Effect.fn("Workspaces.createAccount")(function*(wanted: NewAccount) {
        const now = yield* Clock.currentTimeMillis
        const { account, personal } = newAccount(wanted, now)
        yield* store.createAccount(
          account,
          personal,
          hasPeople && account.email !== null ? ownerOf(account, now) : undefined
        )
        return { account_id: account.account_id, personal_workspace: personal }
      })

      const findAccount = Effect.fnUntraced(function*(accountId: string) {
        return yield* orNotFound("account", yield* lookUp(AccountId, accountId, (id) => store.findAccount(id)))
      })

      const addShared = Effect.fn("Workspaces.addShared")(function*(accountId: string, name: string) {
        const account = yield* findAccount(accountId)
        const workspace = newWorkspace(account, "shared", name, yield* Clock.currentTimeMillis)
        const added = yield* audit(store.createShared(workspace, null, null), workspaceCreation(workspace, OPERATOR))
        return added ? workspace : yield* notFound("account")
      })

      const presentAccount = Effect.fnUntraced(function*(accountId: AccountId) {
        const account = yield* store.findAccount(accountId)
        if (Option.isNone(account)) return yield* new Unprocessable({ message: "This account has been deleted." })
        return account.value
      })

      const createShared = Effect.fn("Workspaces.createShared")(function*(
        member: WorkspaceRecord,
        name: string,
        by: Principal,
        first?: HashedKey
      ) {
        const account = yield* presentAccount(member.account_id)
        const [personal] = yield* store.list({ accountId: member.account_id, after: null, limit: 1 })
        if (personal?.suspended === true) return yield* accountSuspended()
        const workspace = newWorkspace(account, "shared", name, yield* Clock.currentTimeMillis)
        const allowance = limitsFor(member).shared_workspaces
        const parent = keyOf(by) === null ? null : member.workspace_id
        const added = audit(
          store.createShared(workspace, allowance, parent, first),
          workspaceCreation(workspace, by),
          ...(first === undefined ? [] : [keyCreation(workspace, first.key)])
        )
        if (!(yield* added)) {
          yield* presentAccount(member.account_id)
          return yield* allowanceUsedUp(allowance)
        }
        return workspace
      })

      const sharedAllowance = Effect.fn("Workspaces.sharedAllowance")((member: WorkspaceRecord) =>
        Effect.map(
          store.countShared(member.account_id),
          (used) => ({ used, limit: limitsFor(member).shared_workspaces })
        )
      )

      const find = Effect.fn("Workspaces.find")(function*(workspaceId: string) {
        return yield* orNotFound("workspace", yield* lookUp(WorkspaceId, workspaceId, (id) => store.find(id)))
      })

      const list = Effect.fn("Workspaces.list")((accountId: AccountId | null, page: PageRequest) =>
        paged(
          cursor,
          page,
          (workspace: WorkspaceRecord) => workspace.workspace_id,
          (after, limit) => store.list({ accountId, after, limit })
        )
      )

      const update = Effect.fn("Workspaces.update")(function*(workspaceId: string, patch: WorkspacePatch) {
        const updated = yield* lookUp(WorkspaceId, workspaceId, (id) =>
          audit(store.update(id, patch), {
            action: "workspace.changed",
            by: OPERATOR,
            in: { account_id: null, workspace_id: id },
            subject: id,
            details: { changes: JSON.stringify(patch) }
          }))
        return yield* orNotFound("workspace", updated)
      })

      const rename = Effect.fn("Workspaces.rename")(function*(id: WorkspaceId, name: string, by: Principal) {
        const renamed = audit(store.update(id, { name }), {
          action: "workspace.renamed",
          by,
          in: { account_id: null, workspace_id: id },
          subject: id,
          details: { name }
        })
        return yield* orNotFound("workspace", yield* renamed)
      })

      const close = Effect.fnUntraced(function*(workspaceId: WorkspaceId) {
        return yield* store.close(workspaceId, eraseWorkspaceJob(workspaceId, yield* Clock.currentTimeMillis))
      })

      const erase = Effect.fn("Workspaces.erase")(function*(workspaceId: string) {
        const workspace = yield* find(workspaceId)
        const { name, workspace_id } = workspace
        const closed = audit(close(workspace_id), {
          action: "workspace.deleted",
          by: OPERATOR,
          in: workspace,
          subject: workspace_id,
          details: { name }
        })
        return (yield* closed) ? workspace_id : yield* notFound("workspace")
      })

      /** Each round starts again, because a closed workspace is not listed any more. */
      const closeAll = Effect.fnUntraced(function*(accountId: AccountId) {
        while (true) {
          const open = yield* store.list({ accountId, after: null, limit: 100 })
          if (open.length === 0) return
          yield* Effect.forEach(open, ({ workspace_id }) => close(workspace_id), { discard: true })
        }
      })

      const eraseAccount = Effect.fn("Workspaces.eraseAccount")(function*(accountId: string) {
        const { account_id } = yield* findAccount(accountId)
        yield* closeAll(account_id)
        const removed = yield* store.removeAccount(account_id)
        // Created by a request that had started before the account was deleted.
        yield* closeAll(account_id)
        return removed ? account_id : yield* notFound("account")
      })

      return Workspaces.of({
        createAccount,
        addShared,
        createShared,
        sharedAllowance,
        find,
        list,
        update,
        rename,
        erase,
        eraseAccount
      })
    })
  )
}
