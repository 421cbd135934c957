/** The response for checked items. */
import type { IngestResult } from "../model/Ingest.ts"
import type { Admission, Verdict } from "../ports/DocumentStore.ts"

export const ingestResult = (
  admissions: ReadonlyArray<Pick<Admission, "external_id">>,
  verdicts: ReadonlyArray<Verdict>
): IngestResult => {
  const results = admissions.map(({ external_id }, index) => ({ external_id, ...verdicts[index]! }))
  const external_ids = results.filter(({ status }) => status !== "rejected").map(({ external_id }) => external_id)
  return {
    status: "accepted",
    events: external_ids.length,
    external_ids,
    rejected: results.flatMap(({ external_id, resource }) =>
      resource === null ? [] : [{ external_id, resource, reason: "quota_exceeded" as const }]
    ),
    items: results.map(({ external_id, document_id, status }) => ({ external_id, document_id, status }))
  }
}
