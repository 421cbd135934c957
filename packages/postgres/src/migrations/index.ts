/**
 * The schema, step by step.
 *
 * A step is never changed once it is released; what has to be different is a further step at the end. Servers of the
 * release before run on while a step is taken: first add, move what is stored, and take away in a later release.
 */
import { absentOnes } from "./absentOnes.ts"
import { accountLocks } from "./accountLocks.ts"
import { accounts } from "./accounts.ts"
import { admission } from "./admission.ts"
import { admissionAtOnce } from "./admissionAtOnce.ts"
import { auditSelection } from "./auditSelection.ts"
import { backlog } from "./backlog.ts"
import { boundedRemoval } from "./boundedRemoval.ts"
import { citedDocuments } from "./citedDocuments.ts"
import { closingOrder } from "./closingOrder.ts"
import { connections } from "./connections.ts"
import { documentEvents } from "./documentEvents.ts"
import { documents } from "./documents.ts"
import { dueTimes } from "./dueTimes.ts"
import { fairClaims } from "./fairClaims.ts"
import { heldAccounts } from "./heldAccounts.ts"
import { indexRanges } from "./indexRanges.ts"
import { jobQueueing } from "./jobQueueing.ts"
import { jobTraces } from "./jobTraces.ts"
import { jobs } from "./jobs.ts"
import { knowledge } from "./knowledge.ts"
import { lasting } from "./lasting.ts"
import { makers } from "./makers.ts"
import { lockOrder } from "./lockOrder.ts"
import type { Migration } from "./Migration.ts"
import { operators } from "./operators.ts"
import { owners } from "./owners.ts"
import { pages } from "./pages.ts"
import { people } from "./people.ts"
import { proofs } from "./proofs.ts"
import { provenAtOnce } from "./provenAtOnce.ts"
import { purgedSnapshots } from "./purgedSnapshots.ts"
import { questionDeletions } from "./questionDeletions.ts"
import { questions } from "./questions.ts"
import { queuedTimes } from "./queuedTimes.ts"
import { quickAdmission } from "./quickAdmission.ts"
import { removal } from "./removal.ts"
import { removalOfVersions } from "./removalOfVersions.ts"
import { removedQuestions } from "./removedQuestions.ts"
import { rowSecurity } from "./rowSecurity.ts"
import { spentLinks } from "./spentLinks.ts"
import { syncCursors } from "./syncCursors.ts"
import { webhooks } from "./webhooks.ts"
import { syncRuns } from "./syncRuns.ts"
import { usage } from "./usage.ts"
import { usageWriters } from "./usageWriters.ts"
import { workspaces } from "./workspaces.ts"

/** The n-th, from 1, is the migration with the number n. */
export const migrations: ReadonlyArray<Migration> = [
  accounts,
  documents,
  jobs,
  knowledge,
  workspaces,
  admission,
  removal,
  dueTimes,
  people,
  backlog,
  quickAdmission,
  boundedRemoval,
  connections,
  admissionAtOnce,
  syncCursors,
  purgedSnapshots,
  indexRanges,
  pages,
  removalOfVersions,
  webhooks,
  operators,
  questions,
  syncRuns,
  usage,
  proofs,
  makers,
  owners,
  citedDocuments,
  documentEvents,
  rowSecurity,
  spentLinks,
  jobTraces,
  auditSelection,
  lasting,
  jobQueueing,
  questionDeletions,
  removedQuestions,
  usageWriters,
  absentOnes,
  lockOrder,
  fairClaims,
  accountLocks,
  closingOrder,
  provenAtOnce,
  queuedTimes,
  heldAccounts
]
