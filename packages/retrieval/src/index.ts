// PLACEHOLDER until the engine lands in this folder: naive, same contract. To be overwritten.
export interface IndexDocument { readonly id: string; readonly version: number; readonly title: string; readonly chunks: ReadonlyArray<string>; readonly tags: ReadonlyArray<string>; readonly from: number; readonly to: number }
export const MAX_SEGMENT_CHUNKS = 65536
export const cutChunks = (text: string): ReadonlyArray<string> => text === "" ? [] : text.match(/[\s\S]{1,600}(?:\s|$)|[\s\S]{1,600}/gu) ?? []
export class SegmentUnreadable extends Error { readonly reason: "damaged" | "newer"; constructor(reason: "damaged" | "newer") { super(reason); this.reason = reason } }
export class SegmentBuilder { readonly docs: Array<IndexDocument> = []; add(d: IndexDocument): void { this.docs.push(d) } get chunkCount(): number { return this.docs.reduce((s, d) => s + d.chunks.length, 0) } build(): Uint8Array { return new TextEncoder().encode(JSON.stringify(this.docs)) } }
export interface Segment { readonly docs: ReadonlyArray<IndexDocument>; readonly chunkCount: number; readonly documentCount: number; readonly earliest: number; readonly latest: number; readonly byteLength: number; documents(): Iterable<{ number: number; id: string; version: number }>; find(id: string): { readonly number: number; readonly version: number } | undefined }
export const openSegment = (bytes: Uint8Array): Segment => {
  let docs: Array<IndexDocument>
  try { docs = JSON.parse(new TextDecoder().decode(bytes)) } catch { throw new SegmentUnreadable("damaged") }
  const byId = new Map(docs.map((d, number) => [d.id, { number, version: d.version }]))
  return { docs, chunkCount: docs.reduce((s, d) => s + d.chunks.length, 0), documentCount: docs.length, earliest: Math.min(...docs.map((d) => d.from)), latest: Math.max(...docs.map((d) => d.from)), byteLength: bytes.length, *documents() { for (let i = 0; i < docs.length; i++) yield { number: i, id: docs[i]!.id, version: docs[i]!.version } }, find: (id) => byId.get(id) }
}
export class Mask { readonly s = new Set<number>(); readonly segment: Segment; constructor(segment: Segment) { this.segment = segment } hide(n: number): boolean { if (this.s.has(n)) return false; this.s.add(n); return true } get hiddenDocuments(): number { return this.s.size } documents(): Iterable<number> { return this.s } copy(): Mask { const m = new Mask(this.segment); for (const n of this.s) m.s.add(n); return m } }
export interface ViewPart { readonly segment: Segment; readonly mask: Mask }
export const mergeSegments = (parts: ReadonlyArray<ViewPart>): Uint8Array => { const b = new SegmentBuilder(); for (const p of parts) p.segment.docs.forEach((d, n) => { if (!p.mask.s.has(n)) b.add(d) }); return b.build() }
export interface Query { readonly terms: ReadonlyArray<string> }
const words = (t: string) => t.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
const STOP = new Set("a an the of is are to in what how do does i my can who when where why and or for on it".split(" "))
export const parseQuery = (text: string): Query => { const all = words(text); const kept = all.filter((w) => !STOP.has(w)); return { terms: kept.length ? kept : all } }
export interface SearchOptions { readonly limit: number; readonly groupBy: "document" | "chunk"; readonly allOf?: ReadonlyArray<ReadonlyArray<string>>; readonly from?: number; readonly to?: number; readonly outside?: { readonly from: number; readonly to: number } }
export interface Hit { readonly part: number; readonly chunk: number; readonly documentId: string; readonly version: number; readonly ordinal: number; readonly score: number; readonly identifier: boolean; readonly from: number; readonly to: number }
const over = (d: IndexDocument, from: number, to: number) => d.from < to && (d.to > from || d.from >= from)
const passes = (d: IndexDocument, o: Partial<SearchOptions>) => (o.allOf ?? []).every((any) => any.some((t) => d.tags.includes(t))) && over(d, o.from ?? -Infinity, o.to ?? Infinity) && (o.outside === undefined || !over(d, o.outside.from, o.outside.to))
export const searchView = (parts: ReadonlyArray<ViewPart>, query: Query, o: SearchOptions): ReadonlyArray<Hit> => {
  const hits: Array<Hit> = []
  parts.forEach((p, part) => p.segment.docs.forEach((d, n) => { if (p.mask.s.has(n) || !passes(d, o)) return; const here: Array<Hit> = []; d.chunks.forEach((c, ordinal) => { const ws = words(d.title + " " + c); let score = 0; for (const t of new Set(query.terms)) { const f = ws.filter((w) => w === t || w === t + "s" || w + "s" === t).length; if (f) score += f / (f + 1) } if (score > 0) here.push({ part, chunk: 0, documentId: d.id, version: d.version, ordinal, score, identifier: false, from: d.from, to: d.to }) }); here.sort((a, b) => b.score - a.score); hits.push(...(o.groupBy === "document" ? here.slice(0, 1) : here)) }))
  return hits.sort((a, b) => b.score - a.score || (a.documentId < b.documentId ? -1 : a.documentId > b.documentId ? 1 : a.ordinal - b.ordinal)).slice(0, o.limit)
}
export const countDocuments = (parts: ReadonlyArray<ViewPart>, o: Omit<SearchOptions, "limit" | "groupBy">): number => parts.reduce((s, p) => s + p.segment.docs.filter((d, n) => !p.mask.s.has(n) && passes(d, o)).length, 0)
export const rerank = (_query: Query, hits: ReadonlyArray<{ hit: Hit; title: string; text: string }>): ReadonlyArray<Hit> => hits.map(({ hit }) => hit)
export const snippet = (text: string, query: Query, max = 240): { text: string; start: number; highlights: ReadonlyArray<readonly [number, number]> } => { const s = text.slice(0, max); const highlights: Array<readonly [number, number]> = []; for (const m of s.matchAll(/[\p{L}\p{N}]+/gu)) if ((query.terms as Array<string>).includes(m[0].toLowerCase())) highlights.push([m.index, m.index + m[0].length]); return { text: s, start: 0, highlights } }
export interface Passage { readonly id: string; readonly title: string; readonly text: string; readonly timestamp: number; readonly score: number }
export interface ExtractedAnswer { readonly answered: boolean; readonly sentences: ReadonlyArray<{ passage: number; start: number; end: number }> }
export const extractAnswer = (question: string, passages: ReadonlyArray<Passage>): ExtractedAnswer => { const { terms } = parseQuery(question); const all: Array<{ passage: number; start: number; end: number; score: number }> = []; passages.forEach((p, passage) => { for (const m of p.text.matchAll(/[^.!?\n]+[.!?]?/g)) { const ws = words(m[0]); const score = terms.filter((t) => (ws as Array<string>).includes(t)).length / Math.max(1, terms.length); const lead = m[0].length - m[0].trimStart().length; if (score >= 0.5 && m[0].trim() !== "") all.push({ passage, start: m.index + lead, end: m.index + m[0].trimEnd().length, score }) } }); all.sort((a, b) => b.score - a.score); return { answered: all.length > 0, sentences: all.slice(0, 2).map(({ end, passage, start }) => ({ passage, start, end })) } }
