/** A handler's response with another status or more headers. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Operation } from "../api/operationsOf.ts"
import { wireFormOf } from "./WireForm.ts"

type Headers = Readonly<Record<string, string>>

const NO_HEADERS: Headers = {}

export class Reply<out A> {
  readonly body: A
  readonly status: number | undefined
  readonly headers: Headers
  constructor(body: A, headers: Headers = NO_HEADERS, status?: number) {
    this.body = body
    this.headers = headers
    this.status = status
  }

  static of(answer: unknown): Reply<unknown> {
    return answer instanceof Reply ? answer : new Reply(answer)
  }

  /** With `location` below the mount path. */
  located(prefix: string): Reply<A> {
    const { location } = this.headers
    if (prefix === "" || location === undefined) return this
    return new Reply(this.body, { ...this.headers, location: `${prefix}${location}` }, this.status)
  }
}

/** The encoder of an endpoint's successes; the first is the default. */
export const encoderOf = (successes: Operation["successes"]) => {
  const forms = new Map([...successes].map(([status, [schema]]) => [status, wireFormOf(schema)]))
  const [usual] = successes.keys()
  return ({ body, headers, status = usual! }: Reply<unknown>): HttpServerResponse.HttpServerResponse =>
    HttpServerResponse.jsonUnsafe(forms.get(status)!(body), headers === NO_HEADERS ? { status } : { status, headers })
}
