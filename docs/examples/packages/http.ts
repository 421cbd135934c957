/** The API as a function from `Request` to `Response`. */
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Tributary from "@tributary/core/Tributary"
import * as Extract from "@tributary/extract/Extract"
import { webHandler } from "@tributary/http/WebHandler"
import * as Memory from "@tributary/memory/Memory"
import { Layer, Option, Redacted } from "effect"

const services = Layer.provide(
  Tributary.layer,
  Layer.mergeAll(Memory.layer, Extract.layer, ExtractiveAnswerer.layer)
)
const { dispose, handler } = await webHandler(services, {
  baseUrl: "http://localhost:3000",
  adminToken: Option.some(Redacted.make("change-me-change-me-change-me"))
})

const response = await handler(new Request("http://localhost:3000/readyz"))
console.log(response.status)
await dispose()
