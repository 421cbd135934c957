/** Every operation that changes the database, by name. Each is one atomic act within the writer's transaction. */
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

export const writes = {
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
