/**
 * A process is killed repeatedly during its writes: every acknowledged write is there afterwards.
 *
 * `TRIBUTARY_KILLS` sets how often.
 */
import { assert, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import { extent } from "../../../.ci/extent.ts"
import { damageOf, problemsOf, readAnswers } from "./support/answers.ts"
import { newFolder } from "./support/newFolder.ts"

const KILLS = Number(process.env["TRIBUTARY_KILLS"] ?? extent(3, 200))
const CHECK_EVERY = 50
const MAX_ANSWERS = 40

const script = fileURLToPath(new URL("support/admitting.ts", import.meta.url))

/** What the process said before it was killed, at a random moment after this many answers. */
const killedAfter = async (path: string, answers: number): Promise<string> => {
  const child = spawn(process.execPath, [script, path, "-"], { stdio: ["ignore", "pipe", "inherit"] })
  const closed = once(child, "close")
  let said = ""
  for await (const data of child.stdout) {
    said += String(data)
    // The first line names the workspace. A random part of a millisecond puts the kill at another step each time.
    if (said.split("\n").length - 2 < answers || child.killed) continue
    for (const until = performance.now() + Math.random(); performance.now() < until;);
    child.kill("SIGKILL")
  }
  await closed
  return said
}

it(`a process that is killed ${KILLS} times has lost no acknowledged write`, async () => {
  const path = join(newFolder(), "tributary.db")
  let answered = 0
  for (let kill = 1; kill <= KILLS; kill++) {
    const answers = readAnswers(await killedAfter(path, Math.floor(Math.random() * MAX_ANSWERS)))
    assert.isNotNull(answers)
    const database = new DatabaseSync(path)
    assert.deepStrictEqual(problemsOf(database, answers!), [], `after kill ${kill}`)
    answered += answers!.batches.length
    if (kill % CHECK_EVERY === 0 || kill === KILLS) {
      assert.deepStrictEqual(damageOf(database), [], `after kill ${kill}`)
      // Small again, so that the next checks are quick.
      database.exec("DELETE FROM documents; DELETE FROM chunks; DELETE FROM events; DELETE FROM segments")
    }
    database.close()
  }
  process.stderr.write(`\n${KILLS} kills, ${answered} answered batches, none lost\n`)
}, 60_000 + KILLS * 10_000)
