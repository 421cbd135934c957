/** The public API refused a request: `body` is the body of its answer. */
import { Schema } from "effect"

export class Refused extends Schema.TaggedError<Refused>()("Refused", { body: Schema.Json }) {
  #field(name: string): string | undefined {
    const { body } = this
    if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined
    const value: unknown = Object.getOwnPropertyDescriptor(body, name)?.value
    return typeof value === "string" ? value : undefined
  }

  get code(): string | undefined {
    return this.#field("error_code")
  }

  get sentence(): string {
    return this.#field("message") ?? this.#field("detail") ?? "The request is not valid."
  }
}
