/** The audit log. */
import { AuditLog } from "@tributary/core/AuditLog"
import { NotFound } from "@tributary/core/model/Error"
import { Effect } from "effect"
import type { Audit } from "../api/Audit.ts"
import type { Handlers } from "./Handlers.ts"
import { page, toPageRequest } from "./paging.ts"

export const audit = Effect.gen(function*() {
  const log = yield* Effect.serviceOption(AuditLog)

  const handlers: Handlers<typeof Audit> = {
    listAuditLog: Effect.fnUntraced(function*({ caller, query: { cursor, export: isExport, limit, ...filter } }) {
      const { list, noteExport } = yield* Effect.fromOption(
        log,
        () => new NotFound({ message: "No audit log is kept here." })
      )
      if (isExport === true && cursor === undefined) yield* noteExport(caller.workspace, filter, caller.principal)
      return page("entries")(yield* list(caller.workspace, filter, toPageRequest({ cursor, limit })))
    })
  }
  return handlers
})
