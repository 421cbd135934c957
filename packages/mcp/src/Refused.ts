/** The public API refused a request: `body` is the body of its answer. */
import { errorBody } from "@tributary/core/model/Error"
import { Schema } from "effect"

export class Refused extends Schema.TaggedError<Refused>()("Refused", { body: Schema.Json }) {
  #field(name: string): string | undefined {
    const { body } = this
    if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined
    const value: unknown = Object.getOwnPropertyDescriptor(body, name)?.value
    return typeof value === "string" ? value : undefined
  }

  /** What the tools refuse by themselves. */
  static of(...error: Parameters<typeof errorBody>): Refused {
    return new Refused({ body: errorBody(...error) })
  }

  get code(): string | undefined {
    return this.#field("error_code")
  }

  get sentence(): string {
    return this.#field("message") ?? this.#field("detail") ?? "The request is not valid."
  }
}
