/** The types of handlers: what one gets of a request, and what it may answer. */
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { Effect } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type { Caller } from "../middleware/Authorization.ts"
import type { EventStream } from "../response/EventStreams.ts"
import type { Common } from "../response/Failures.ts"
import type { Reply } from "../response/Reply.ts"

/** A field of the input; nothing for an endpoint without it. */
type Provided<Name extends string, Type> = [Type] extends [never] ? unknown : { readonly [_ in Name]: Type }

/** The input of a handler: the decoded request and its caller. */
type Input<Endpoint extends HttpApiEndpoint.ConstraintRequest, Who> =
  & Provided<"params", Endpoint["~Params"]["Type"]>
  & Provided<"query", Endpoint["~Query"]["Type"]>
  & Provided<"payload", Endpoint["~Payload"]["Type"]>
  & { readonly caller: Who; readonly request: HttpServerRequest.HttpServerRequest }

/** Answers with the success of the endpoint, with or without headers, or with a stream of events. */
type Handler<Endpoint extends HttpApiEndpoint.ConstraintRequest, Who> = (input: Input<Endpoint, Who>) => Effect.Effect<
  Endpoint["~Success"]["Type"] | EventStream | Reply<Endpoint["~Success"]["Type"]> | Reply<EventStream>,
  Endpoint["~Error"]["Type"] | HttpApiEndpoint.MiddlewareError<Endpoint> | Common
>

type EndpointsOf<Group> = Extract<HttpApiGroup.Endpoints<Group>, HttpApiEndpoint.ConstraintRequest>

/** A handler for each endpoint of a group. */
export type Handlers<Group, Who = Caller> = {
  readonly [Endpoint in EndpointsOf<Group> as HttpApiEndpoint.Identifier<Endpoint>]: Handler<Endpoint, Who>
}

/** The handlers of every group of an API, by the name of the group. */
export type AllHandlers<Groups, Who> = { readonly [Name in keyof Groups]: Handlers<Groups[Name], Who> }
