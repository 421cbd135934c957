/** The cost of searches as the collection grows. */
import { parseQuery, searchView, SegmentBuilder, type ViewPart } from "@tributary/retrieval"
import { print, printTable } from "../print.ts"
import { mean, quantile } from "../statistics.ts"
import { cpuOf, cpuOfAsync } from "./cpu.ts"
import { costOfOpening } from "./opening.ts"
import { Asked, buildSegments, indexDocument, partOf } from "./ours.ts"
import type { Peer } from "./peers.ts"
import { syntheticDocument, syntheticQuery } from "./synthetic.ts"

/** Ten results per query, of mixed queries. */
const LIMIT = 10

/** Rounds of all queries that warm up the compiler. */
const WARM_UP = 10

/** Further rounds before the first size: V8 compiles in the background for some 20,000 searches. */
const FIRST_WARM_UP = 30

/** The number of rounds, of which the median counts, because garbage collection may fall into any of them. */
const ROUNDS = 5

/** The size of the index that warms up. */
const WARM_UP_CHUNKS = 20_000

const QUERIES = Array.from({ length: 300 }, (_, number) => syntheticQuery(number))

/** The maximum build time of a peer in microseconds; larger sizes are skipped. */
const MAX_BUILD_TIME = 30e6

interface Point {
  readonly chunks: number
  /** Microseconds of processor time per search. */
  readonly cpu: number
}

export interface Growth {
  readonly name: string
  readonly points: ReadonlyArray<Point>
}

const CHANGES = 400

/**
 * Replaces one document after the other: indexes it, masks the old one, and searches everything once. The texts are
 * created before, because their garbage does not belong to the index. The first half warms up.
 */
const costOfChanges = (parts: ReadonlyArray<ViewPart>): ReadonlyArray<number> => {
  const documents = Array.from(
    { length: CHANGES },
    (_, change) => indexDocument(change * 7, syntheticDocument(change * 7), 1e9 + change)
  )
  const costs = documents.map((document, change) => {
    const query = parseQuery(QUERIES[change % QUERIES.length]!)
    return cpuOf(() => {
      const builder = new SegmentBuilder()
      builder.add(document)
      const fresh = partOf(builder.build())
      const view = parts.map(({ mask, segment }) => {
        const stale = segment.find(document.id)
        if (stale === undefined) return { segment, mask }
        const masked = mask.copy()
        masked.hide(stale.number)
        return { segment, mask: masked }
      })
      searchView([...view, fresh], query, { limit: LIMIT, groupBy: "document" })
    })
  })
  return costs.slice(CHANGES / 2)
}

const ms = (microseconds: number): string => (microseconds / 1e3).toFixed(2)

/** Microseconds of one search, measured over all queries, because reading the clock takes a tenth of a search. */
const costOfSearches = (parts: ReadonlyArray<ViewPart>): number => {
  const asked = QUERIES.map((query) => new Asked(parts, query))
  const finding = cpuOf(() => asked.forEach((one) => one.find(LIMIT)))
  asked.forEach((one) => one.read(syntheticDocument))
  return (finding + cpuOf(() => asked.forEach((one) => one.rank(LIMIT)))) / asked.length
}

const costOfEach = (parts: ReadonlyArray<ViewPart>): ReadonlyArray<number> =>
  QUERIES.map((query) => {
    const one = new Asked(parts, query)
    const finding = cpuOf(() => one.find(LIMIT))
    one.read(syntheticDocument)
    return finding + cpuOf(() => one.rank(LIMIT))
  })

interface Row extends Point {
  readonly cells: ReadonlyArray<string>
}

const warmUp = (parts: ReadonlyArray<ViewPart>, rounds: number): void => {
  for (let round = 0; round < rounds; round++) {
    costOfSearches(parts)
    costOfEach(parts)
  }
}

const measureOurs = async (chunkCount: number): Promise<Row> => {
  const { cpu, segments } = buildSegments(chunkCount, syntheticDocument)
  const parts = segments.map(partOf)
  warmUp(parts, WARM_UP)
  const searches = quantile(Array.from({ length: ROUNDS }, () => costOfSearches(parts)), 0.5)
  const each = costOfEach(parts)
  const changes = costOfChanges(parts)
  const { opening, searching } = await costOfOpening(segments, QUERIES[0]!, LIMIT)
  const bytes = segments.reduce((sum, { length }) => sum + length, 0)
  const chunks = parts.reduce((sum, { segment }) => sum + segment.chunkCount, 0)
  return {
    chunks,
    cpu: searches,
    cells: [
      String(chunks),
      ms(searches),
      `${ms(quantile(each, 0.5))} / ${ms(quantile(each, 0.99))}`,
      (chunks / (cpu / 1e6)).toFixed(0),
      (bytes / chunks).toFixed(0),
      `${ms(opening)} + ${ms(searching)}`,
      `${ms(quantile(changes, 0.5))} / ${ms(quantile(changes, 0.99))}`
    ]
  }
}

const HEAD = [
  "ours: chunks",
  "CPU ms per search",
  "p50 / p99",
  "chunks indexed per second of CPU",
  "bytes per chunk",
  "opening from files + a first search, CPU ms",
  "one changed document, CPU ms p50 / p99"
]

const textsOf = (chunkCount: number) => {
  const texts: Array<{ readonly id: string; readonly title: string; readonly text: string }> = []
  for (let number = 0; texts.length < chunkCount; number++) {
    const { chunks, title } = syntheticDocument(number)
    chunks.forEach((text, ordinal) => texts.push({ id: `${number}-${ordinal}`, title, text }))
  }
  return texts.slice(0, chunkCount)
}

/** For a server only wall time is available. */
const costOf = async ({ isServer }: Peer, work: () => unknown): Promise<number> => {
  const begin = performance.now()
  const cpu = await cpuOfAsync(work)
  return isServer === true ? (performance.now() - begin) * 1e3 : cpu
}

const measurePeer = async (peer: Peer, chunkCount: number) => {
  const texts = textsOf(chunkCount)
  let index: Awaited<ReturnType<Peer["build"]>> | undefined
  const building = await costOf(peer, async () => {
    index = await peer.build(texts)
  })
  const searching: Array<number> = []
  // The first searches warm up.
  for (const query of QUERIES.slice(0, 60)) searching.push(await costOf(peer, () => index!.search(query, LIMIT)))
  await index?.close?.()
  return { building, searching: searching.slice(20) }
}

const growthOf = async (peer: Peer, sizes: ReadonlyArray<number>): Promise<Growth> => {
  const points: Array<Point> = []
  for (const [at, chunks] of sizes.entries()) {
    const { building, searching } = await measurePeer(peer, chunks)
    points.push({ chunks, cpu: mean(searching) })
    const next = sizes[at + 1]
    if (next !== undefined && building * next / chunks > MAX_BUILD_TIME) break
  }
  return { name: peer.isServer === true ? `${peer.name} (clock)` : peer.name, points }
}

export const measureGrowth = async (
  sizes: ReadonlyArray<number>,
  peers: ReadonlyArray<Peer>
): Promise<ReadonlyArray<Growth>> => {
  warmUp(buildSegments(WARM_UP_CHUNKS, syntheticDocument).segments.map(partOf), FIRST_WARM_UP)
  const rows: Array<Row> = []
  for (const size of sizes) rows.push(await measureOurs(size))
  printTable(HEAD, rows.map(({ cells }) => cells))
  print("")
  const growths: Array<Growth> = [{ name: "ours", points: rows }]
  for (const peer of peers) growths.push(await growthOf(peer, sizes))
  printTable(
    ["ms per search", ...sizes.map((size) => `${size} chunks`)],
    growths.map((
      { name, points }
    ) => [name, ...sizes.map((_, at) => points[at] === undefined ? "–" : ms(points[at].cpu))])
  )
  return growths
}
