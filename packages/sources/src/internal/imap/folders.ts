/** Which folders of a mailbox are pulled. */
import { SourceGone } from "@tributary/core/ports/Provider"
import type { ImapFlow, ListResponse } from "imapflow"

/** Folders that are not worth searching, with those in them. A deleted folder is moved into the trash. */
const UNWANTED = ["\\Junk", "\\Trash", "\\Drafts"]
/** Their mails are in other folders. */
const REPEATED = ["\\All", "\\Flagged", "\\Important"]

/** The library names a use for one folder only, and guesses it by the name if the server reports none. */
const isFor = ({ flags, specialUse = "" }: ListResponse, uses: ReadonlyArray<string>): boolean =>
  uses.some((use) => use === specialUse || flags.has(use))

const isWithin = ({ delimiter, path }: ListResponse, folder: ListResponse): boolean =>
  path === folder.path || path.startsWith(`${folder.path}${delimiter}`)

/** At Gmail, folders are labels: a mail has several or, if it is archived, none. */
const hasLabels = ({ capabilities }: ImapFlow): boolean => capabilities.has("X-GM-EXT-1")

const keptOf = (client: ImapFlow, folders: ReadonlyArray<ListResponse>): ReadonlyArray<ListResponse> => {
  const all = hasLabels(client) ? folders.find((folder) => isFor(folder, ["\\All"])) : undefined
  if (all !== undefined) return [all]
  const unwanted = folders.filter((folder) => isFor(folder, UNWANTED))
  return folders.filter((folder) => !isFor(folder, REPEATED) && !unwanted.some((other) => isWithin(folder, other)))
}

/** The inbox may be written in any case. */
const isNamed = ({ path }: ListResponse, named: ReadonlyArray<string>): boolean =>
  named.some((name) => name === path || (path === "INBOX" && name.toUpperCase() === path))

/** The named folders, or all that keep mails permanently. */
export const foldersOf = async (
  client: ImapFlow,
  named: ReadonlyArray<string> | undefined
): Promise<ReadonlyArray<string>> => {
  const folders = await client.list()
  const chosen = named === undefined ? keptOf(client, folders) : folders.filter((folder) => isNamed(folder, named))
  return chosen.filter(({ flags }) => !flags.has("\\Noselect") && !flags.has("\\NonExistent")).map(({ path }) => path)
}

/** A label that was pulled is left as soon as the folder of all mails is shown to programs. */
export const refuseLabel = async (
  client: ImapFlow,
  named: ReadonlyArray<string> | undefined,
  folder: string
): Promise<void> => {
  if (named !== undefined || !hasLabels(client) || (await foldersOf(client, named)).includes(folder)) return
  throw new SourceGone({ message: `The mails of ${folder} are in the folder of all mails.` })
}
