/** External ids in batches, as they are read. */
import type { SyncStep } from "@tributary/core/ports/Provider"

export const BATCH_SIZE = 1_000

/** All that exist, of any age. Ends with `Complete`. */
export async function* listedSteps(
  ids: AsyncIterable<string> | Iterable<string>,
  unlisted: ReadonlyArray<string> = []
): AsyncGenerator<SyncStep> {
  let external_ids: Array<string> = []
  for await (const id of ids) {
    external_ids.push(id)
    if (external_ids.length < BATCH_SIZE) continue
    yield { _tag: "Listed", external_ids }
    external_ids = []
  }
  yield { _tag: "Listed", external_ids }
  yield { _tag: "Complete", ofAnyAge: true, unlisted }
}
