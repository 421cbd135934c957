/** Finds a connection by an id from a client. Anything else than an id of this workspace is not found. */
import { Effect, Option } from "effect"
import { ConnectionNotFound, type StorageUnavailable } from "../model/Error.ts"
import { ConnectionId, parseId, type WorkspaceId } from "../model/Id.ts"
import type { ConnectionRecord, ConnectionStore } from "../ports/ConnectionStore.ts"

export const findConnection = Effect.fnUntraced(function*(
  store: ConnectionStore["Service"],
  workspaceId: WorkspaceId,
  connectionId: string
): Effect.fn.Return<ConnectionRecord, ConnectionNotFound | StorageUnavailable> {
  const id = parseId(ConnectionId)(connectionId)
  const found = Option.isNone(id) ? Option.none<ConnectionRecord>() : yield* store.find(workspaceId, id.value)
  return yield* Effect.fromOption(found, () => new ConnectionNotFound())
})
