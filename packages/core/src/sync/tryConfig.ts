/** Tries a source with a configuration from a client, before it is stored. */
import { Effect, type Schema } from "effect"
import { BadRequest } from "../model/Error.ts"
import type { ConnectionId, WorkspaceId } from "../model/Id.ts"
import { CurrentWorkspace, type Provider } from "../ports/Provider.ts"
import { readConfig, sealSecrets } from "./connectionConfig.ts"
import { listResources } from "./listResources.ts"
import { SecretBox } from "../secrets/SecretBox.ts"

/** Returns what of it is stored. */
export const tryConfig = Effect.fnUntraced(function*(
  workspaceId: WorkspaceId,
  connectionId: ConnectionId,
  provider: Provider,
  sent: Readonly<Record<string, Schema.Json>>
) {
  const { config, open, secrets } = yield* readConfig(provider, sent)
  const sealed = yield* Effect.mapError(
    sealSecrets(yield* SecretBox, workspaceId, connectionId, secrets),
    ({ message }) => new BadRequest({ message })
  )
  const resources = yield* Effect.provideService(listResources(provider, config), CurrentWorkspace, workspaceId)
  return { config: open, secrets: sealed, resources }
})
