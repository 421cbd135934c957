/** What a folder says of itself when it is opened. */
import type { MailboxObject } from "imapflow"

export interface FolderState {
  /** Every mail that comes has this number, or a higher one. */
  readonly uidNext: number
  readonly exists: number
  /** Higher after every change, to flags too. Null where the server does not count changes. */
  readonly modseq: bigint | null
}

/** Null where it says too little. */
export const stateOf = ({ exists, highestModseq, noModseq, uidNext }: MailboxObject): FolderState | null =>
  Number.isSafeInteger(uidNext)
    ? { uidNext, exists, modseq: noModseq === true ? null : highestModseq ?? null }
    : null

/** As `8 5 1042`, without the last where changes are not counted. */
export const readState = (text: string | null): FolderState | null => {
  const [, uidNext, exists, modseq] = /^(\d+) (\d+)(?: (\d+))?$/.exec(text ?? "") ?? []
  return uidNext === undefined
    ? null
    : { uidNext: Number(uidNext), exists: Number(exists), modseq: modseq === undefined ? null : BigInt(modseq) }
}

export const writeState = ({ exists, modseq, uidNext }: FolderState): string =>
  `${uidNext} ${exists}${modseq === null ? "" : ` ${modseq}`}`

/** As mails never change, and their numbers only rise. */
export const hasSameMails = (one: FolderState | null, other: FolderState | null): boolean =>
  one !== null && other !== null && one.uidNext === other.uidNext && one.exists === other.exists
