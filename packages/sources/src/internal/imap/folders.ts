import type { ImapFlow } from "imapflow"

/** Folders that are not worth searching, or duplicate others. */
const LEFT_OUT: ReadonlySet<string> = new Set(["\\Junk", "\\Trash", "\\Drafts", "\\All", "\\Flagged"])

/** The named folders, or all that keep mails permanently. */
export const foldersOf = async (
  client: ImapFlow,
  named: ReadonlyArray<string> | undefined
): Promise<ReadonlyArray<string>> =>
  (await client.list())
    .filter(({ flags }) => !flags.has("\\Noselect") && !flags.has("\\NonExistent"))
    .filter(({ path, specialUse = "" }) => named === undefined ? !LEFT_OUT.has(specialUse) : named.includes(path))
    .map(({ path }) => path)
