/** Records the changes of a request in the audit log, if the backend has one. */
import { AuditLog } from "@tributary/core/AuditLog"
import type { AuditAction } from "@tributary/core/model/AuditEntry"
import { Effect, Option } from "effect"
import type { Caller } from "../middleware/Authorization.ts"

type Details = Readonly<Record<string, string | number | boolean | null>>

export const auditing = Effect.map(
  Effect.serviceOption(AuditLog),
  (log) =>
  <A>(
    action: AuditAction,
    { principal, workspace }: Caller,
    describe: (done: A) => { readonly subject: string; readonly details?: Details }
  ) =>
  (done: A) => {
    if (Option.isNone(log)) return Effect.void
    const { details = {}, subject } = describe(done)
    return log.value.note(action, principal, workspace, subject, details)
  }
)
