/** The operations of an API: their endpoints, and the schemas of their successes by status. */
import type { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"

export interface Operation {
  /** The identifier of its group. */
  readonly group: string
  readonly endpoint: HttpApiEndpoint.Top
  readonly successes: ReadonlyMap<number, readonly [Schema.Top, ...ReadonlyArray<Schema.Top>]>
}

export const operationsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<Operation> => {
  const operations: Array<Operation> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, successes }) => {
      operations.push({ group: group.identifier, endpoint, successes })
    }
  })
  return operations
}
