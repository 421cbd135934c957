/** The provider passes the kit, on a service of notes of our own. */
import { providerContract } from "@tributary/contract/ProviderContract"
import { Effect, Redacted } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { notes } from "./notes.ts"

const PAGE = 100

const source = Effect.gen(function*() {
  const stored = new Map<string, { readonly text: string; readonly changed: number }>()
  let breaksAfter = ""
  const write = (id: string, text: string, changed: number) => stored.set(id, { text, changed })
  for (let index = 0; index < 350; index++) write(`n${String(index).padStart(5, "0")}`, `Note ${index}`, index)

  const server = createServer((request, response) => {
    const after = new URL(request.url!, "http://localhost").searchParams.get("after")!
    if (breaksAfter !== "" && after >= breaksAfter) return void response.destroy()
    const page = [...stored].filter(([id]) => id > after).sort(([a], [b]) => a < b ? -1 : 1).slice(0, PAGE)
    response.end(JSON.stringify(page.map(([id, note]) => ({ id, ...note }))))
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
    () => Effect.sync(() => server.close())
  )
  const { port } = server.address() as AddressInfo
  return {
    provider: notes,
    config: { url: `http://127.0.0.1:${port}`, token: Redacted.make("t") },
    resource: "notes",
    change: Effect.sync(() => {
      write("n00003", "Changed", 1_000)
      write("new", "New", 1_001)
      stored.delete("n00004")
      return { upserted: ["notes/n00003", "notes/new"], gone: ["notes/n00004"] }
    }),
    breakOff: Effect.sync(() => void (breaksAfter = "n00150")),
    fill: Effect.sync(() => {
      for (let index = 0; index < 1_200; index++) write(`x${index}`, "More", 900)
    })
  }
})

providerContract("notes", source)
