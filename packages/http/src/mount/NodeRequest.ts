/**
 * A request of Node, as the routes read it. Unlike the one of Effect's adapter it neither copies the headers nor keeps
 * state for upgrades and `100 Continue`, whose requests are left to that adapter.
 */
import { NodeHttpIncomingMessage } from "@effect/platform-node/NodeHttpIncomingMessage"
import * as NodeMultipart from "@effect/platform-node/NodeMultipart"
import { Effect, type Option } from "effect"
import * as Cookies from "effect/http/Cookies"
import type * as Headers from "effect/http/Headers"
import { HttpServerError, RequestParseError } from "effect/http/HttpServerError"
import * as Request from "effect/http/HttpServerRequest"
import * as UrlParams from "effect/http/UrlParams"
import type { IncomingMessage } from "node:http"

type Changes = Parameters<Request.HttpServerRequest["modify"]>[0]

export class NodeRequest extends NodeHttpIncomingMessage<HttpServerError> implements Request.HttpServerRequest {
  readonly [Request.TypeId]: typeof Request.TypeId = Request.TypeId
  readonly #changes: Changes

  constructor(source: IncomingMessage, changes: Changes = {}) {
    super(
      source,
      (cause) => new HttpServerError({ reason: new RequestParseError({ request: this, cause }) }),
      changes.remoteAddress
    )
    this.#changes = changes
  }

  modify(changes: Changes): NodeRequest {
    return new NodeRequest(this.source, { ...this.#changes, ...changes })
  }

  get url(): string {
    return this.#changes.url ?? this.source.url!
  }

  get originalUrl(): string {
    const { host } = this.source.headers
    const scheme = "encrypted" in this.source.socket ? "https" : "http"
    return host === undefined ? this.source.url! : `${scheme}://${host}${this.source.url!}`
  }

  get method(): string {
    return this.source.method!
  }

  /** Node's names are in lower case already. */
  override get headers(): Headers.Headers {
    return this.#changes.headers ?? this.source.headers as unknown as Headers.Headers
  }

  get cookies() {
    return Cookies.parseHeader(this.headers["cookie"] ?? "")
  }

  get peerAddress(): Option.Option<string> {
    return this.#changes.peerAddress ?? this.remoteAddress
  }

  get protocol(): "http" | "https" | undefined {
    return this.#changes.protocol
  }

  get multipart() {
    return NodeMultipart.persisted(this.source, this.source.headers)
  }

  get multipartStream() {
    return NodeMultipart.stream(this.source, this.source.headers)
  }

  get upgrade(): Effect.Effect<never, HttpServerError> {
    return this.upgradeWith()
  }

  upgradeWith(): Effect.Effect<never, HttpServerError> {
    const description = "not an upgradeable request"
    return Effect.fail(new HttpServerError({ reason: new RequestParseError({ request: this, description }) }))
  }

  /** Without headers, which have credentials. */
  toJSON(): unknown {
    return { _id: "HttpServerRequest", method: this.method, url: UrlParams.redactUrl(this.url) }
  }
}
