/** Which entries of an audit log somebody looks for. Applied here, so that every backend finds the same. */
import { foldAscii } from "../ports/DocumentStore.ts"
import type { AuditEntry, AuditFilter } from "../model/AuditEntry.ts"

const textOf = ({ action, actor, address, details, subject }: AuditEntry): string =>
  foldAscii([action, actor.id, subject, address ?? "", JSON.stringify(details)].join("\n"))

export const matching = ({ action, actor, from, q = "", subject, to }: AuditFilter) => {
  const actions = action?.split(",").map((name) => name.trim())
  const words = foldAscii(q).split(/\s+/u).filter((word) => word !== "")
  return (entry: AuditEntry): boolean =>
    (actions === undefined || actions.some((name) => entry.action === name || entry.action.startsWith(`${name}.`))) &&
    (actor === undefined || entry.actor.id === actor) &&
    (subject === undefined || entry.subject === subject) &&
    (from === undefined || entry.created_at >= from) &&
    (to === undefined || entry.created_at < to) &&
    words.every((word) => textOf(entry).includes(word))
}
