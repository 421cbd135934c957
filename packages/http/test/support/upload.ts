/** Sends forms as browsers and `curl` do. */
import { Effect } from "effect"
import type { Answer } from "./wire.ts"

type Value = string | File | ReadonlyArray<string | File>

export const textFile = (content: string | Uint8Array<ArrayBuffer>, name = "notes.txt", type = "text/plain") =>
  new File([content], name, { type })

const toForm = (fields: Readonly<Record<string, Value>>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) form.append(name, one)
  }
  return form
}

/** Sends forms to a connector at `path`. */
export const uploading =
  (handle: (request: Request) => Effect.Effect<Answer>, path: string, key: string) =>
  (fields: Readonly<Record<string, Value>>) =>
    Effect.gen(function*() {
      // Bytes instead of the form itself: a stream that is refused halfway is an error for its writer.
      const form = new Response(toForm(fields))
      const body = yield* Effect.promise(() => form.arrayBuffer())
      const headers = { authorization: `Bearer ${key}`, "content-type": form.headers.get("content-type") ?? "" }
      return yield* handle(
        new Request(`https://tributary.test${path}/ingest/typed/upload`, { method: "POST", headers, body })
      )
    })
