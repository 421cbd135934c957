/** Tries a source with a configuration from a client, before it is stored. */
import { Effect, Redacted } from "effect"
import { BadRequest } from "../model/Error.ts"
import type { ConnectionId, WorkspaceId } from "../model/Id.ts"
import { CurrentWorkspace, type Provider, ReplaceSecret } from "../ports/Provider.ts"
import { type Fields, readConfig, sealSecrets } from "./connectionConfig.ts"
import { listResources } from "./listResources.ts"
import { SecretBox } from "../secrets/SecretBox.ts"

/** Returns what of it is stored. */
export const tryConfig = Effect.fnUntraced(function*(
  workspaceId: WorkspaceId,
  connectionId: ConnectionId,
  provider: Provider,
  sent: Fields
) {
  const { config, open, secrets } = yield* readConfig(provider, sent)
  const box = yield* SecretBox
  const seal = (secrets: Fields) =>
    Effect.mapError(
      sealSecrets(box, workspaceId, connectionId, secrets),
      ({ message }) => new BadRequest({ message })
    )
  // Before the source is asked, which may replace a secret that could then not be stored.
  yield* seal(secrets)
  const replaced: Record<string, string> = {}
  const replace: ReplaceSecret = (field, known, use) =>
    Effect.map(
      Effect.suspend(() => use(Redacted.make(replaced[field] ?? Redacted.value(known)))),
      ([result, next]) => {
        replaced[field] = Redacted.value(next)
        return result
      }
    )
  const resources = yield* listResources(provider, config).pipe(
    Effect.provideService(CurrentWorkspace, workspaceId),
    Effect.provideService(ReplaceSecret, replace)
  )
  return { config: open, secrets: yield* seal({ ...secrets, ...replaced }), resources }
})
