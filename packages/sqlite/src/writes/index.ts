/** Every operation that changes the database, by name. Each is one atomic act within the writer's transaction. */
import type { AuditDraft } from "@tributary/core/model/AuditEntry"
import { completedEntries } from "@tributary/core/ports/completedEntries"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import { admissionWrites } from "./admission.ts"
import { apiKeyWrites } from "./apiKeys.ts"
import { auditWrites } from "./audit.ts"
import { connectionWrites } from "./connections.ts"
import { connectorWrites } from "./connectors.ts"
import { documentWrites } from "./documents.ts"
import { eraseWrites } from "./erase.ts"
import { invitationWrites } from "./invitations.ts"
import { jobWrites } from "./jobs.ts"
import { operatorWrites } from "./operators.ts"
import { peopleWrites } from "./people.ts"
import { questionWrites } from "./questions.ts"
import { rateWindowWrites } from "./rateWindows.ts"
import { segmentWrites } from "./segments.ts"
import { sessionWrites } from "./sessions.ts"
import { snapshotWrites } from "./snapshots.ts"
import { syncRunWrites } from "./syncRuns.ts"
import { syncStateWrites } from "./syncStates.ts"
import { deliveryWrites } from "./deliveries.ts"
import { webhookWrites } from "./webhooks.ts"
import { usageWrites } from "./usage.ts"
import { workspaceWrites } from "./workspaces.ts"

const changes = {
  ...admissionWrites,
  ...apiKeyWrites,
  ...auditWrites,
  ...connectionWrites,
  ...connectorWrites,
  ...documentWrites,
  ...eraseWrites,
  ...invitationWrites,
  ...jobWrites,
  ...operatorWrites,
  ...peopleWrites,
  ...questionWrites,
  ...rateWindowWrites,
  ...segmentWrites,
  ...sessionWrites,
  ...snapshotWrites,
  ...syncRunWrites,
  ...syncStateWrites,
  ...deliveryWrites,
  ...webhookWrites,
  ...usageWrites,
  ...workspaceWrites
}

export const writes = {
  ...changes,

  /** A change, and the entries of the audit log that it has. */
  recorded: (
    db: SqliteConnection,
    drafts: ReadonlyArray<AuditDraft>,
    name: string,
    args: ReadonlyArray<unknown>
  ): unknown => {
    const change = changes[name as keyof typeof changes] as (
      db: SqliteConnection,
      ...args: ReadonlyArray<unknown>
    ) => unknown
    const result = change(db, ...args)
    for (const entry of completedEntries(drafts, result)) auditWrites.appendAudit(db, entry)
    return result
  }
}

export type Writes = typeof writes

/** Losing these in a power failure costs nothing, and a later commit that waits for the disk covers them. */
export const deferrable: ReadonlySet<string> = new Set<keyof Writes>([
  "addUsage",
  "appendQuestions",
  "heartbeat",
  "noteKeyUse",
  "noteSeen",
  "putSlice",
  "take"
])
