/** A host's own test: run it with `node --test`. */
import { openForTests } from "@tributary/tributary/testing"
import assert from "node:assert/strict"
import { test } from "node:test"

test("a note older than a week is no longer in the answers", async () => {
  await using service = await openForTests()
  const workspace = await service.kb.createWorkspace({ name: "Notes" })
  const { connector_id } = await workspace.connectors.create({ name: "Notes", source_name: "notes" })
  await workspace.ingest.text(connector_id, [{ text: "The lock code is 4711." }])
  await workspace.updateSettings({ temporal_settings: { start: { type: "relative", days: 7 }, end: null } })

  assert.equal((await workspace.ask({ query: "What is the lock code?" })).answered, true)
  await service.advance("8 days")
  assert.equal((await workspace.ask({ query: "What is the lock code?" })).answered, false)
})
