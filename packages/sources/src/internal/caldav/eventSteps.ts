import type { SyncStep } from "@tributary/core/ports/Provider"
import { isWithin } from "../isWithin.ts"
import { metadataValue } from "../storable.ts"
import type { EventReader } from "./EventReader.ts"
import type { Window } from "./occurrences.ts"

/** None for an event without a time, or that ended before a time. */
export const makeEventSteps = (reader: EventReader, window: Window, since: Date | null) =>
  async function*(external_id: string, text: string): AsyncGenerator<SyncStep> {
    const read = await reader.read({ text, window })
    if (read === null) {
      yield { _tag: "Skipped", external_id, reason: "The event cannot be read." }
    } else if (read.event !== null && isWithin(since, read.event.end)) {
      const { payload, start, uid } = read.event
      yield {
        _tag: "Upsert",
        item: {
          external_id,
          timestamp: start,
          payload: { kind: "calendar", ...payload },
          metadata: { uid: metadataValue(uid) }
        }
      }
    }
  }
