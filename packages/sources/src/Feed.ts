/** RSS, Atom and JSON feeds. */
import { partlySecret, type Provider } from "@tributary/core/ports/Provider"
import { WebUrl } from "@tributary/core/model/WebUrl"
import { Schema } from "effect"
import { makeFeedReaders } from "./internal/feed/FeedReader.ts"
import { fetchFeed, syncFeed } from "./internal/feed/syncFeed.ts"
import type { Network } from "./internal/network/guardedAddresses.ts"
import { makeWebClient } from "./internal/network/webClient.ts"
import { attempt, steps } from "./internal/steps.ts"
import { credentialsOf, LoginFields, shownAddress, soundAddress } from "./internal/webConfig.ts"

const RESOURCE = "feed"

const FeedConfig = Schema.Struct({
  url: partlySecret(WebUrl.check(soundAddress), shownAddress).annotate({
    title: "Address",
    description: "Of the feed itself: RSS, Atom or JSON Feed."
  }),
  ...LoginFields
})
type FeedConfig = typeof FeedConfig.Type

export const feed = (network: Network = {}): Provider<FeedConfig> => {
  const client = makeWebClient(network)
  const readers = makeFeedReaders()
  const addressOf = (config: FeedConfig) => ({ url: config.url, credentials: credentialsOf(config) })
  return {
    provider: "feed",
    name: "Feed (RSS, Atom, JSON Feed)",
    config: FeedConfig,
    syncDefaults: { start: null, interval_minutes: 30 },
    commonResources: [RESOURCE],
    resources: (config) =>
      attempt(async (signal) => {
        await fetchFeed(client, readers, addressOf(config), signal)
        return [RESOURCE]
      }),
    sync: ({ config, ...request }) => steps((signal) => syncFeed(client, readers, addressOf(config), request, signal))
  }
}
