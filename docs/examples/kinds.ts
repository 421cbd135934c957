/** A kind of the host's own: its fields are checked, and its title and its body are known. */
import { open } from "@tributary/tributary"

await using kb = await open({
  storage: "memory",
  kinds: {
    invoice: {
      fields: { number: "text", customer: "text", due: "moment", notes: "text" },
      title: ["number", "customer"],
      body: "notes"
    }
  }
})
const workspace = await kb.createWorkspace({ name: "Accounts" })
const { connector_id } = await workspace.connectors.create({ name: "Billing", source_name: "billing" })
await workspace.ingest.typed(connector_id, [{
  external_id: "2026-114",
  timestamp: new Date("2026-11-20T09:00:00Z"),
  payload: {
    kind: "invoice",
    number: "2026-114",
    customer: "Kite Boats",
    due: "2026-12-20T00:00:00Z",
    notes: "Paid in two instalments."
  }
}])
const { results: [invoice] } = await workspace.search({ q: "instalments", sources: ["invoice"] })
process.stdout.write(`${invoice?.title}: ${invoice?.snippet}\n`)
