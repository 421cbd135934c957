/** The audit log. */
import { AuditLog } from "@tributary/core/AuditLog"
import { NotFound } from "@tributary/core/model/Error"
import { Effect } from "effect"
import type { Audit } from "../api/Audit.ts"
import type { Handlers } from "./Handlers.ts"
import { page, toPageRequest } from "./paging.ts"

const notKept = () => new NotFound({ message: "No audit log is kept here." })

export const audit = Effect.gen(function*() {
  const log = yield* Effect.serviceOption(AuditLog)

  const handlers: Handlers<typeof Audit> = {
    listAuditLog: ({ caller, query: { cursor, export: isExport = false, limit, ...filter } }) =>
      Effect.fromOption(log, notKept).pipe(
        Effect.flatMap((log) =>
          isExport
            ? log.export(caller.workspace, filter, toPageRequest({ cursor, limit }), caller.principal)
            : log.list(caller.workspace, filter, toPageRequest({ cursor, limit }))
        ),
        Effect.map(page("entries"))
      )
  }
  return handlers
})
