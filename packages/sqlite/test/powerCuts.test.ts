/**
 * Simulated power failures: a process admits batches while every write and sync is recorded, and for many points of the
 * recording the files are built that a disk may hold then. Whatever was answered before is in them.
 *
 * `TRIBUTARY_POWER_CUTS` sets how many points, `TRIBUTARY_POWER_SEED` which ones. Needs gcc.
 */
import { assert, describe, it } from "@effect/vitest"
import { execFileSync, spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import { extent } from "../../../.ci/extent.ts"
import { missing } from "../../../.ci/missing.ts"
import { Disk, type Random } from "./power/Disk.ts"
import { readRecording, type Step } from "./power/Recording.ts"
import { damageOf, problemsOf, readAnswers } from "./support/answers.ts"
import { newFolder } from "./support/newFolder.ts"

const CUTS = Number(process.env["TRIBUTARY_POWER_CUTS"] ?? extent(5, 200))
const SEED = Number(process.env["TRIBUTARY_POWER_SEED"] ?? 1)
const BATCHES = 40
const COMPILER = "gcc"

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const hasCompiler = process.platform === "linux" && spawnSync(COMPILER, ["--version"]).status === 0
if (!hasCompiler) missing("TOOLS", COMPILER)

/** xorshift: the same numbers for the same seed. */
const randomFrom = (seed: number): Random => {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  return () => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 4_294_967_296
  }
}

const ANSWERS = "answers.txt"

const record = (): ReadonlyArray<Step> => {
  const [folder, tools] = [newFolder(), newFolder()]
  const [library, recording] = [join(tools, "recorder.so"), join(tools, "recording")]
  execFileSync(COMPILER, ["-O1", "-shared", "-fPIC", "-o", library, fileOf("power/recorder.c"), "-ldl", "-lpthread"])
  const args = [fileOf("support/admitting.ts"), join(folder, "tributary.db"), join(folder, ANSWERS), String(BATCHES)]
  execFileSync(process.execPath, args, {
    env: { ...process.env, LD_PRELOAD: library, RECORDED_FOLDER: folder, RECORDING: recording }
  })
  return readRecording(recording)
}

describe.skipIf(!hasCompiler)("a power failure", () => {
  it(`at ${CUTS} points of a busy store loses no acknowledged write`, () => {
    const steps = record()
    const random = randomFrom(SEED)
    const disk = new Disk()
    let answered = ""
    let cuts = 0
    const first = steps.findIndex(({ file }) => file === ANSWERS)
    assert.isAbove(first, 0)
    const points = new Set(Array.from({ length: CUTS }, () => first + Math.floor(random() * (steps.length - first))))
    for (const [at, step] of steps.entries()) {
      if (step.file === ANSWERS) answered += step.bytes.toString("utf8")
      else disk.take(step)
      if (!points.has(at)) continue
      const folder = newFolder()
      for (const [name, content] of disk.afterPowerCut(random)) {
        if (/\.db(-wal)?$/.test(name)) writeFileSync(join(folder, name), content)
      }
      const database = new DatabaseSync(join(folder, "tributary.db"))
      const answers = readAnswers(answered)
      const problems = [...damageOf(database), ...answers === null ? [] : problemsOf(database, answers)]
      database.close()
      assert.deepStrictEqual(problems, [], `seed ${SEED}, point ${at} of ${steps.length}`)
      cuts++
    }
    process.stderr.write(`\n${cuts} power cuts, ${answered.split("\n").length - 2} answered batches, none lost\n`)
  }, 120_000 + CUTS * 1_000)
})
