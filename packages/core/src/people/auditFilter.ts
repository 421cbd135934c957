/** Translates what somebody looks for in an audit log into a selection of the store. */
import type { AuditFilter } from "../model/AuditEntry.ts"
import type { AuditSelection } from "../ports/AuditStore.ts"
import { foldedWords } from "../model/folding.ts"

export const selectionOf = ({ action, actor, from, q = "", subject, to }: AuditFilter): AuditSelection => ({
  actions: action?.split(",").map((name) => name.trim()) ?? null,
  actor: actor ?? null,
  subject: subject ?? null,
  from: from ?? null,
  to: to ?? null,
  words: foldedWords(q)
})
