/** The thread that reads what others wrote. */
import { once } from "node:events"
import type { Worker } from "node:worker_threads"
import { assert, describe, it } from "@effect/vitest"
import { makeEventReaders } from "../src/internal/caldav/EventReader.ts"
import type { MailTask } from "../src/internal/imap/MailReader.ts"
import { makeReaderThread, ReaderThreads } from "../src/internal/ReaderThread.ts"

const trying = new URL("./support/tryingReader.ts", import.meta.url)
const entry = new URL("../src/internal/imap/readerMain.ts", import.meta.url)

const task = (id: string): ReadonlyArray<MailTask> => [
  { id, received: new Date(0), source: new TextEncoder().encode("Subject: x\r\n\r\nText\r\n") }
]

describe("a reader's thread", () => {
  it("has a limit of processor time, whatever else the machine does", async () => {
    const reader = makeReaderThread<number | "works forever", string>(trying, 300)
    assert.strictEqual(await reader.read(0), "read")
    assert.strictEqual(await reader.read(900), "read")
    assert.isNull(await reader.read("works forever"))
    assert.strictEqual(await reader.read(0), "read")
    await reader.end()
  })

  it("ends after its last task, and the next one gets a new thread", async () => {
    const started: Array<Worker> = []
    const remember = (worker: Worker) => void started.push(worker)
    process.on("worker", remember)
    try {
      const reader = makeReaderThread<ReadonlyArray<MailTask>, ReadonlyArray<unknown>>(entry, 20_000, 0)
      const ended = reader.read(task("1")).then(() => once(started[0]!, "exit"))
      assert.lengthOf((await reader.read(task("2"))) ?? [], 1)
      await ended
      assert.lengthOf((await reader.read(task("3"))) ?? [], 1)
      assert.lengthOf(started, 2)
      await reader.end()
    } finally {
      process.off("worker", remember)
    }
  })

  it("belongs to one user at a time, and then to the next", async () => {
    const started: Array<Worker> = []
    const remember = (worker: Worker) => void started.push(worker)
    process.on("worker", remember)
    try {
      const readers = makeEventReaders()
      const window = { now: new Date("2026-03-01"), from: new Date("2026-01-01"), to: new Date("2027-01-01") }
      const text = "BEGIN:VEVENT\r\nDTSTART:20260302T100000Z\r\nEND:VEVENT"
      await readers.use(async (reader) => {
        assert.isNotNull(await reader.read({ text, window }))
        assert.isNotNull(await readers.use((beside) => beside.read({ text, window })))
      })
      assert.lengthOf(started, 2)
      const both = await readers.use((one) =>
        readers.use(async (other) => {
          const answers = [await one.read({ text, window }), await other.read({ text, window })]
          for (const reader of [one, other]) await reader.end()
          return answers
        })
      )
      assert.notInclude(both, null)
      assert.lengthOf(started, 2)
    } finally {
      process.off("worker", remember)
    }
  })

  it("ends with its user, if that leaves a task behind", async () => {
    const readers = new ReaderThreads<number | "works forever", string>(trying, 3_600_000)
    let left: Promise<string | null> | undefined
    await readers.use(async (reader) => {
      left = reader.read("works forever")
    })
    await readers.use(async (reader) => {
      assert.strictEqual(await reader.read(0), "read")
      await reader.end()
    })
    assert.isNull(await left)
  })
})
