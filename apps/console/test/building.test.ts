// A build of the knowledge context, watched while it moves: on Postgres, where a table can be held.
import { afterAll, afterEach, assert, beforeAll, describe, it, onTestFinished } from "vitest"
import { createClient } from "@tributary/client"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { databaseUrl } from "../../../packages/postgres/test/support/testServer.ts"
import { postgresStore, type TestStore } from "../../server/test/faults/support/stores.ts"
import { holdTable } from "../../server/test/heldTable.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openConsole } from "./support/console.ts"
import { press, seen, signIn } from "./support/steps.ts"

const DOCUMENTS = 1_200
const AT_ONCE = 100

describe.skipIf(chromiumPath === null || databaseUrl === null)("A build", () => {
  let console: Console
  let store: TestStore

  beforeAll(async () => {
    store = postgresStore(databaseUrl!)
    console = await openConsole({ TRIBUTARY_STORAGE: "postgres", ...store.settings })
    const client = createClient({ baseUrl: console.url, apiKey: console.key })
    const { connector_id } = await client.connectors.create({ name: "Notes", source_name: "notes" })
    for (let first = 0; first < DOCUMENTS; first += AT_ONCE) {
      const items = Array.from({ length: AT_ONCE }, (_, index) => ({
        external_id: `note-${first + index}`,
        text: `Locker ${first + index} is painted green.`
      }))
      await client.ingest.text(connector_id, items)
    }
    await client.knowledge.waitUntilUpToDate()
  })
  afterAll(async () => {
    await console?.close()
    await store.remove()
  })
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  it("shows its progress and its end", async () => {
    const page = await console.newPage()
    await page.goto(`${await signIn(page, await console.signInLink())}/knowledge`)
    const state = page.getByRole("region", { name: "State" })
    await state.getByText("Up to date").waitFor()
    const chunks = await holdTable(databaseUrl!, `${store.schema}.chunks`)
    onTestFinished(chunks.open)
    const start = page.getByRole("slider", { name: "Start of the range" })
    await start.focus()
    await page.keyboard.press("PageUp")
    await press(page, "Save range")
    await seen(page, "Saved.")
    await state.getByText("Rebuilding").waitFor()
    // Pages of 500, and while one is indexed the next is read; others may read the table, too.
    const isSeenToMove = () =>
      state.getByText(/\b(?:500|1,000) of 1,200 done/).waitFor({ timeout: 15_000 }).then(() => true, () => false)
    do await chunks.next()
    while (!(await isSeenToMove()))
    const bar = state.getByRole("progressbar", { name: "Progress of the build" })
    const share = Number(await bar.getAttribute("aria-valuenow")) / Number(await bar.getAttribute("aria-valuemax"))
    assert.isAbove(share, 0)
    assert.isBelow(share, 1)
    assert.deepStrictEqual(await axeViolations(page), [])
    await chunks.open()
    await state.getByText("Up to date").waitFor()
    await bar.waitFor({ state: "detached" })
  })
})
