// What a program on another runtime than Node does with a knowledge base; prints a line for each result.
import { open } from "../../src/open.ts"

const print = (value: unknown): void => void process.stdout.write(`${value}\n`)

const [directory, workspaceId] = process.argv.slice(2)

await using kb = await open(directory === undefined ? { storage: "memory" } : { storage: "embedded", directory })
const workspace = workspaceId === undefined ? await kb.createWorkspace({ name: "Handbook" }) : kb.workspace(workspaceId)
print(workspace.id)
if (workspaceId === undefined) {
  const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
  await workspace.ingest.text(connector_id, [
    { title: "Holidays", text: "The office is closed from December 24 to January 1." },
    // Long enough for the thread that builds segments.
    ...Array.from({ length: 500 }, (_, n) => ({ title: `Ferry ${n}`, text: `Ferry ${n} leaves the pier. `.repeat(30) }))
  ])
  await workspace.ingest.file(connector_id, { file: new File(["# Keys\n\nThe spare key is in locker 7."], "keys.md") })
  const mail = new File(["Subject: Garage\r\n\r\nIt opens at seven."], "garage.eml")
  await workspace.ingest.file(connector_id, { file: mail }).catch(({ message }: Error) => print(message))
}
print((await workspace.ask({ query: "When is the office closed?" })).response)
print((await workspace.search({ q: "locker" })).results[0]?.title)
const handler = await kb.handler({ baseUrl: "https://kb.test" })
print((await handler(new Request("https://kb.test/v1/usage/current"))).status)
