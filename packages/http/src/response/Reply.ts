/** What a handler answers beyond a plain success: another status, more headers. */
import type { Schema } from "effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { wireFormOf } from "./WireForm.ts"

export class Reply<out A> {
  readonly body: A
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string>>
  constructor(body: A, headers: Readonly<Record<string, string>> = {}, status?: number) {
    this.body = body
    this.headers = headers
    this.status = status
  }

  static of(answer: unknown): Reply<unknown> {
    return answer instanceof Reply ? answer : new Reply(answer)
  }

  /** With its `location` under the path at which the service is mounted. */
  located(prefix: string): Reply<A> {
    const { location } = this.headers
    return prefix === "" || location === undefined ? this : this.withHeaders({ location: `${prefix}${location}` })
  }

  withHeaders(headers: Readonly<Record<string, string>>): Reply<A> {
    return new Reply(this.body, { ...this.headers, ...headers }, this.status)
  }
}

/** The schemas of an endpoint's successes, by status. */
export type Successes = ReadonlyMap<number, readonly [Schema.Top, ...ReadonlyArray<Schema.Top>]>

/** Makes the encoder of an endpoint's successes; the first is meant when a handler names no status. */
export const encoderOf = (successes: Successes) => {
  const forms = new Map([...successes].map(([status, [schema]]) => [status, wireFormOf(schema)]))
  const [usual] = successes.keys()
  return ({ body, headers, status = usual! }: Reply<unknown>): HttpServerResponse.HttpServerResponse =>
    HttpServerResponse.jsonUnsafe(forms.get(status)!(body), { status, headers })
}
