import type { SyncStep } from "@tributary/core/ports/Provider"
import { metadataValue } from "../storable.ts"
import type { EventReader } from "./EventReader.ts"
import type { Window } from "./readEvent.ts"

/** Null for an event without a time, or before the start of the sync. */
export const eventStep = async (
  reader: EventReader,
  external_id: string,
  text: string,
  window: Window,
  reach: Date | null
): Promise<SyncStep | null> => {
  const read = await reader.read({ text, window })
  if (read === null || "damaged" in read) return { _tag: "Skipped", external_id, reason: "The event cannot be read." }
  if (read.event === null || (reach !== null && read.event.end < reach)) return null
  const { payload, start, uid } = read.event
  return {
    _tag: "Upsert",
    item: {
      external_id,
      timestamp: start,
      payload: { kind: "calendar", ...payload },
      metadata: { uid: metadataValue(uid) }
    }
  }
}
