/** What memory a first sync takes as its source grows. */
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { print, printTable } from "../print.ts"
import { randomFrom, randomText } from "../texts.ts"

const SIZES = [1, 10_000, 100_000]
const IN_FOLDER = 1_000

const random = randomFrom(3)

const fill = async (folder: string, from: number, to: number): Promise<void> => {
  for (let number = from; number < to; number++) {
    const part = join(folder, `part-${Math.floor(number / IN_FOLDER)}`)
    if (number % IN_FOLDER === 0) await mkdir(part)
    await writeFile(join(part, `${number}.txt`), randomText(random, 150))
  }
}

const peak = async (folder: string): Promise<{ readonly items: number; readonly megabytes: number }> => {
  const child = fork(fileURLToPath(new URL("./pulling.ts", import.meta.url)), [folder])
  const [[told]] = await Promise.all([once(child, "message"), once(child, "exit")])
  return told
}

export const benchMemory = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "tributary-bench-"))
  const peaks: Array<number> = []
  try {
    for (const [at, size] of SIZES.entries()) {
      await fill(folder, SIZES[at - 1] ?? 0, size)
      const { items, megabytes } = await peak(folder)
      if (items !== size) throw new Error(`${items} files came, not ${size}`)
      peaks.push(megabytes)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  printTable(["files", "most RSS, MB"], SIZES.map((size, at) => [String(size), peaks[at]!.toFixed(0)]))
  const [, fewer = NaN, more = NaN] = peaks
  const [, few = NaN, many = NaN] = SIZES
  print(
    `${many} / ${few}: ${(more / fewer).toFixed(2)}, ${((more - fewer) * 1e6 / (many - few)).toFixed(0)} bytes per file`
  )
}
