import type { ImapFlow } from "imapflow"

/** What nobody looks for, and what is another folder's anyway. */
const LEFT_OUT: ReadonlySet<string> = new Set(["\\Junk", "\\Trash", "\\Drafts", "\\All", "\\Flagged"])

/** Those named, or all that hold mails for keeps. */
export const foldersOf = async (
  client: ImapFlow,
  named: ReadonlyArray<string> | undefined
): Promise<ReadonlyArray<string>> =>
  (await client.list())
    .filter(({ flags }) => !flags.has("\\Noselect") && !flags.has("\\NonExistent"))
    .filter(({ path, specialUse = "" }) => named === undefined ? !LEFT_OUT.has(specialUse) : named.includes(path))
    .map(({ path }) => path)
