/** Workspaces with a connector each, and texts to ingest through it. */
import { Connectors } from "@tributary/core/Connectors"
import type { TextItem } from "@tributary/core/model/Ingest"
import { OPERATOR } from "@tributary/core/model/Principal"
import { Workspaces } from "@tributary/core/Workspaces"
import { Effect } from "effect"
import { randomFrom, randomText } from "../texts.ts"

export const newPlace = Effect.gen(function*() {
  const { personal_workspace } = yield* (yield* Workspaces).createAccount({ name: "Bench", tier: "pro" })
  const { connector_id } = yield* (yield* Connectors).create(
    personal_workspace,
    { name: "Bench", source_name: "bench" },
    OPERATOR
  )
  return { workspace: personal_workspace, connectorId: connector_id }
})

export type Place = Effect.Success<typeof newPlace>

const random = randomFrom(11)
let made = 0

/** Unique texts of about a paragraph. */
export const newTexts = (count: number): ReadonlyArray<TextItem> =>
  Array.from({ length: count }, () => ({
    external_id: `text-${++made}`,
    title: randomText(random, 4),
    text: randomText(random, 90)
  }))
