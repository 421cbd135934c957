/** The documents of a folder's mails: each mail is one, and each of its attachments that may contain text. */
import { externalId } from "../externalId.ts"

/** `text` is what the last sync knew. */
export const makeMailDocuments = (resource: string, text = "") => {
  const pairs = text.matchAll(/(\d+):(\d+)/g)
  /** The number of attachments of each mail that has any. */
  let attachments = new Map(Array.from(pairs, ([, uid, count]) => [Number(uid), Number(count)]))

  const idsOf = (uid: number): ReadonlyArray<string> => {
    const id = externalId(resource, `${uid}`)
    return [id, ...Array.from({ length: attachments.get(uid) ?? 0 }, (_, at) => `${id}.${at + 1}`)]
  }

  return {
    add: (uid: number, documents: number): void => {
      if (documents > 1) attachments.set(uid, documents - 1)
    },
    remove: (uid: number): ReadonlyArray<string> => {
      const ids = idsOf(uid)
      attachments.delete(uid)
      return ids
    },
    /** The ids of all mails of a folder. Others are forgotten. */
    async *idsOfAll(folder: AsyncIterable<ReadonlyArray<number>>): AsyncGenerator<string> {
      const kept = new Map<number, number>()
      for await (const uids of folder) {
        for (const uid of uids) {
          if (attachments.has(uid)) kept.set(uid, attachments.get(uid)!)
          yield* idsOf(uid)
        }
      }
      attachments = kept
    },
    /** Such as `7:1,9:3`. */
    text: (): string => Array.from(attachments, ([uid, count]) => `${uid}:${count}`).join(",")
  }
}
