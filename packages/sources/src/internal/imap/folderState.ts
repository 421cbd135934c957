/** The state of a folder when it is opened. */
import type { MailboxObject } from "imapflow"

export interface FolderState {
  /** New mails get this UID or a higher one. */
  readonly uidNext: number
  readonly exists: number
  /** Increases with every change, including flags. Null if the server does not support it. */
  readonly modseq: bigint | null
}

/** Null if the server does not report enough. */
export const stateOf = ({ exists, highestModseq, noModseq, uidNext }: MailboxObject): FolderState | null =>
  Number.isSafeInteger(uidNext)
    ? { uidNext, exists, modseq: noModseq === true ? null : highestModseq ?? null }
    : null

/** Such as `8 5 1042`; the last number is missing if the server does not count changes. */
export const readState = (text: string | null | undefined): FolderState | null => {
  const [, uidNext, exists, modseq] = /^(\d+) (\d+)(?: (\d+))?$/.exec(text ?? "") ?? []
  return uidNext === undefined
    ? null
    : { uidNext: Number(uidNext), exists: Number(exists), modseq: modseq === undefined ? null : BigInt(modseq) }
}

export const writeState = ({ exists, modseq, uidNext }: FolderState): string =>
  `${uidNext} ${exists}${modseq === null ? "" : ` ${modseq}`}`

/** Mails never change, and UIDs only increase. */
export const hasSameMails = (one: FolderState | null, other: FolderState | null): boolean =>
  one !== null && other !== null && one.uidNext === other.uidNext && one.exists === other.exists
