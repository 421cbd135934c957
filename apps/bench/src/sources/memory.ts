/** What memory a first sync takes as its source grows. */
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { print, printTable } from "../print.ts"
import { randomFrom, randomText } from "../texts.ts"

const SIZES = [1, 10_000, 50_000, 100_000]
const IN_FOLDER = 1_000

const random = randomFrom(3)

const fill = async (folder: string, from: number, to: number): Promise<void> => {
  for (let number = from; number < to; number++) {
    const part = join(folder, `part-${Math.floor(number / IN_FOLDER)}`)
    if (number % IN_FOLDER === 0) await mkdir(part)
    await writeFile(join(part, `${number}.txt`), randomText(random, 150))
  }
}

interface Memory {
  readonly items: number
  readonly held: number
  readonly most: number
}

const pull = async (folder: string): Promise<Memory> => {
  const child = fork(fileURLToPath(new URL("./pulling.ts", import.meta.url)), [folder], { execArgv: ["--expose-gc"] })
  const [[told]] = await Promise.all([once(child, "message"), once(child, "exit")])
  return told
}

export const benchMemory = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "tributary-bench-"))
  const pulled: Array<Memory> = []
  try {
    for (const [at, size] of SIZES.entries()) {
      await fill(folder, SIZES[at - 1] ?? 0, size)
      const told = await pull(folder)
      if (told.items !== size) throw new Error(`${told.items} files came, not ${size}`)
      pulled.push(told)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  printTable(
    ["files", "held, MB", "most RSS, MB"],
    pulled.map(({ held, items, most }) => [String(items), held.toFixed(1), most.toFixed(0)])
  )
  const [few, many] = pulled.slice(-2) as [Memory, Memory]
  const bytes = (many.held - few.held) * 1e6 / (many.items - few.items)
  print(
    `${many.items} / ${few.items}: held ${(many.held / few.held).toFixed(2)}, ${bytes.toFixed(0)} bytes per file; ` +
      `RSS ${(many.most / few.most).toFixed(2)}`
  )
}
