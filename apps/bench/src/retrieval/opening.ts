/** The cost of opening segment files that another process has written. */
import { Mask, openSegment, type ViewPart } from "@tributary/retrieval"
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openSegmentFile } from "../../../../packages/node/src/internal/SegmentFile.ts"
import { cpuOf, cpuOfAsync } from "./cpu.ts"
import { Asked } from "./ours.ts"
import { syntheticDocument } from "./synthetic.ts"

/** So old that they count as cold, although the system caches them. */
const write = (path: string, bytes: Uint8Array): string => {
  writeFileSync(path, bytes)
  utimesSync(path, 0, 0)
  return path
}

const opened = async (path: string): Promise<ViewPart> => {
  const segment = openSegment(await openSegmentFile(path) ?? readFileSync(path))
  return { segment, mask: new Mask(segment) }
}

/** Microseconds of processor time: of opening, and of the first query. */
export const costOfOpening = async (segments: ReadonlyArray<Uint8Array>, query: string, limit: number) => {
  const folder = mkdtempSync(join(tmpdir(), "segments-"))
  try {
    const paths = segments.map((bytes, number) => write(join(folder, String(number)), bytes))
    const parts: Array<ViewPart> = []
    const opening = await cpuOfAsync(async () => {
      for (const path of paths) parts.push(await opened(path))
    })
    const first = new Asked(parts, query)
    const finding = cpuOf(() => first.find(limit))
    first.read(syntheticDocument)
    return { opening, searching: finding + cpuOf(() => first.rank(limit)) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
