/** Finds the custom connector that a client names by id or by source name. */
import { Connector, sourceOf } from "@tributary/core/model/Connector"
import { ConnectorId, parseId } from "@tributary/core/model/Id"
import { text } from "@tributary/core/model/Text"
import { Effect, Option, Schema } from "effect"
import * as PublicApi from "../PublicApi.ts"
import { Refused } from "../Refused.ts"

export const connector = text(1, 80).annotate({
  description:
    "The connector: its source_name (\"wiki\", which as a source is \"custom:wiki\") or its connector_id. list_sources names them.",
  examples: ["wiki"]
})

/** How many other connectors an error lists. */
const NAMED = 20

const unknown = (name: string, others: ReadonlyArray<string>) =>
  Refused.of(
    "client_not_found",
    `There is no connector with the source name ${JSON.stringify(name)}. ${
      others.length === 0 ? "There are none yet." : `There are: ${others.slice(0, NAMED).join(", ")}.`
    }`
  )

const unlisted = Refused.of(
  "insufficient_scopes",
  "Finding a connector by its source_name needs a scope that reads connectors. Name the connector by its connector_id.",
  { missing_scopes: ["custom_connectors:read"] }
)

/** Deactivated ones, too: their documents can be deleted, and the API explains why they take no new ones. */
const listed = PublicApi.get("/v1/custom-connectors?include_inactive=true").pipe(
  PublicApi.expect(Schema.Array(Schema.toEncoded(Connector))),
  Effect.mapError((error) => error.code === "insufficient_scopes" ? unlisted : error)
)

/** The path of a connector. An id is not looked up: the following request checks it. */
export const connectorPath = (named: string) =>
  Effect.map(
    Option.isSome(parseId(ConnectorId)(named)) ? Effect.succeed(named) : Effect.flatMap(
      listed,
      (connectors) => {
        // Results show sources in the second form.
        const found = connectors.find(({ source_name }) => named === source_name || named === sourceOf({ source_name }))
        return found === undefined
          ? Effect.fail(unknown(named, connectors.filter(({ is_active }) => is_active).map((one) => one.source_name)))
          : Effect.succeed(found.connector_id)
      }
    ),
    (id) => `/v1/custom-connectors/${id}`
  )
