/** A segment is built, opened and searched. */
import { Mask, openSegment, parseQuery, searchView, SegmentBuilder, snippet } from "@tributary/retrieval"

const chunk = "The spare key is in locker 7."
const builder = new SegmentBuilder()
builder.add({ id: crypto.randomUUID(), version: 1, title: "Keys", chunks: [chunk], tags: [], from: 0, to: 0 })
const segment = openSegment(builder.build())

const query = parseQuery("spare keys")
const parts = [{ segment, mask: new Mask(segment, []) }]
for (const { documentId, score } of searchView(parts, query, { limit: 10, groupBy: "document" })) {
  console.log(documentId, score, snippet(chunk, query).text)
}
