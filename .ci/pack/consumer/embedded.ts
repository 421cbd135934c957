/** A host with data in a directory, to test that the packed files contain the database's threads. */
import { open } from "@tributary/tributary"

const openHere = () => open({ storage: "embedded", directory: "data" })

const keepAndFind = async () => {
  const kb = await openHere()
  const workspace = await kb.createWorkspace({ name: "Handbook" })
  const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
  await workspace.ingest.text(connector_id, [{ title: "Keys", text: "The spare key is kept in locker 7." }])
  await kb.close()

  const again = await openHere()
  const { results } = await again.workspace(workspace.id).search({ q: "spare key" })
  await again.close()
  return results.map(({ title }) => title).join()
}

process.stdout.write(`${await keepAndFind().catch((error: Error) => error.message)}\n`)
