/** Migrations in order; `user_version` counts those that were applied. A released one never changes. */
import { citedDocuments } from "./citedDocuments.ts"
import { documentEvents } from "./documentEvents.ts"
import { initial } from "./initial.ts"
import { jobTraces } from "./jobTraces.ts"
import { lasting } from "./lasting.ts"
import { makers, nameMakers } from "./makers.ts"
import { operators } from "./operators.ts"
import { proofs, proveStored } from "./proofs.ts"
import { questionDeletions } from "./questionDeletions.ts"
import { questions } from "./questions.ts"
import { queuedTimes } from "./queuedTimes.ts"
import { removedQuestions } from "./removedQuestions.ts"
import { syncRuns } from "./syncRuns.ts"
import { usage } from "./usage.ts"
import { usageWriters } from "./usageWriters.ts"
import { webhooks } from "./webhooks.ts"

export const migrations: ReadonlyArray<string> = [
  initial,
  webhooks,
  operators,
  questions,
  syncRuns,
  usage,
  proofs + proveStored,
  makers + nameMakers,
  citedDocuments,
  documentEvents,
  jobTraces,
  lasting,
  questionDeletions,
  removedQuestions,
  usageWriters,
  queuedTimes
]
