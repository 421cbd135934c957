/** The platform's `fetch`, as the services of models are called with it. */
import { Layer } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"

export const layer: Layer.Layer<HttpClient.HttpClient> = FetchHttpClient.layer.pipe(
  Layer.provide([
    // A redirection could send texts to a host that nobody chose.
    Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }),
    // A third party may operate the service: it learns nothing of our traces.
    Layer.succeed(HttpClient.TracerPropagationEnabled, false)
  ])
)
