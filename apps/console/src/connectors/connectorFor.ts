import type { CustomConnector, NewConnector } from "../api/models.ts"
import type { Client } from "../api/workspaceClient.ts"

/** The connector with this source name, which is never given twice: it is made, or activated again. */
export const connectorFor = async ({ connectors }: Client, source: NewConnector): Promise<CustomConnector> => {
  const found = (await connectors.list()).find(({ source_name }) => source_name === source.source_name)
  if (found === undefined) return await connectors.create(source)
  return found.is_active ? found : await connectors.update(found.connector_id, { is_active: true })
}
