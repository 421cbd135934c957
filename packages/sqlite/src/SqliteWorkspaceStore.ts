/** Accounts and workspaces in SQLite. */
import { type AccountRecord, WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect, Layer, Option } from "effect"
import { Database } from "./internal/Database.ts"
import { madeKey } from "./rows/madeKey.ts"
import { first } from "./rows/first.ts"
import type { Columns } from "./rows/Columns.ts"
import { toWorkspace, WORKSPACE, type WorkspaceColumns } from "./rows/workspaceRows.ts"
import { countShared } from "./writes/workspaces.ts"

export const layer = Layer.effect(
  WorkspaceStore,
  Effect.gen(function*() {
    const { announcing, read, write } = yield* Database

    return WorkspaceStore.of({
      createAccount: (account, personal, owner) => write("createAccount", account, personal, owner),

      findAccount: (accountId) =>
        read((db) =>
          first(
            db.get<Columns<AccountRecord>>(
              "SELECT account_id, name, email, tier, created_at FROM accounts WHERE account_id = ?",
              accountId
            ),
            (row): AccountRecord => ({ ...row, created_at: new Date(row.created_at) })
          )
        ),

      createShared: (workspace, allowance, parent, first) =>
        write("createShared", workspace, allowance, parent, first && madeKey(first)),

      countShared: (accountId) => read((db) => countShared(db, accountId)),

      find: (workspaceId) =>
        read((db) =>
          first(
            db.get<WorkspaceColumns>(`SELECT ${WORKSPACE} FROM workspaces w WHERE w.workspace_id = ?`, workspaceId),
            toWorkspace
          )
        ),

      list: ({ accountId, after, limit }) =>
        read((db) =>
          db.all<WorkspaceColumns>(
            `SELECT ${WORKSPACE} FROM workspaces w WHERE ${accountId === null ? "?1 IS NULL" : "w.account_id = ?1"}
              AND w.workspace_id > ?2 ORDER BY w.workspace_id LIMIT ?3`,
            accountId,
            after ?? "",
            limit
          ).map(toWorkspace)
        ),

      update: (workspaceId, change) => Effect.map(write("updateWorkspace", workspaceId, change), Option.fromNullOr),

      close: (workspaceId, erase) => announcing(write("closeWorkspace", workspaceId, erase)),

      removeAccount: (accountId) => write("removeAccount", accountId),

      erase: (workspaceId) => Effect.asVoid(Effect.repeat(write("erase", workspaceId), { while: (isMore) => isMore }))
    })
  })
)
