import type { Connection } from "../model/Connection.ts"
import type { Connector } from "../model/Connector.ts"
import type { ConnectorId } from "../model/Id.ts"

/** The origin of a new connection. */
export const originOf = (connection: Connection): Connector => ({
  connector_id: connection.connection_id as string as ConnectorId,
  name: connection.name,
  source_name: `${connection.provider}:${connection.connection_id}`,
  created_at: connection.connected_at,
  created_by: connection.created_by,
  is_active: connection.status !== "paused",
  accepted_kinds: [],
  metadata: {}
})
