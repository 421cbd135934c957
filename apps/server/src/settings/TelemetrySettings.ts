/** The standard settings of OpenTelemetry: where traces, metrics and logs are sent. */
import { SAMPLED_SHARE } from "@tributary/core/ports/TraceSampling"
import type * as Telemetry from "@tributary/node/Telemetry"
import * as Config from "effect/Config"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { addressSetting, numberSetting, setting, type ValuesOf } from "./Setting.ts"

const decoded = (part: string): string | null => {
  try {
    return decodeURIComponent(part.trim())
  } catch {
    return null
  }
}

/** `name=value,name=value`, percent-encoded; null if it is malformed. */
const pairsIn = (text: string): Readonly<Record<string, string>> | null => {
  const pairs = text.split(",").map((pair) => {
    const [, name = "", value = ""] = /^([^=]+)=(.*)$/.exec(pair.trim()) ?? []
    return [decoded(name), decoded(value)] as const
  })
  const isWhole = pairs.every(([name, value]) => name !== null && name !== "" && value !== null)
  return isWhole ? Object.fromEntries(pairs) : null
}

const arePairs = Schema.makeFilter<string>((text) => pairsIn(text) !== null)

/** Whether `fetch` accepts a header. */
const areHeaders = Schema.makeFilter<string>((text) =>
  Object.entries(pairsIn(text) ?? { "": "" }).every(([name, value]) =>
    /^[!#$%&'*+.^`|~\w-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value)
  )
)

export const TELEMETRY_SETTINGS = {
  telemetryUrl: addressSetting(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "The address of an OpenTelemetry collector for traces, metrics and logs (OTLP over HTTP), such as http://127.0.0.1:4318. /v1/traces, /v1/metrics and /v1/logs are appended.",
    "none: nothing is sent"
  ),
  telemetryHeaders: setting("OTEL_EXPORTER_OTLP_HEADERS", {
    secret: true,
    description: "Headers for the collector, such as authorization=Bearer%20TOKEN; values are percent-encoded.",
    defaultText: "none",
    mustBe: "NAME=VALUE, separated by commas and percent-encoded",
    read: (variable) =>
      Config.schema(Schema.Redacted(Schema.String.check(arePairs, areHeaders)), variable).pipe(Config.option)
  }),
  telemetryName: setting("OTEL_SERVICE_NAME", {
    description: "The name of this service at the collector.",
    defaultText: "tributary",
    mustBe: "a text",
    read: (variable) => Config.String(variable).pipe(Config.withDefault("tributary"))
  }),
  telemetryAttributes: setting("OTEL_RESOURCE_ATTRIBUTES", {
    description:
      "Further attributes of this server for the collector, such as deployment.environment.name=staging; values are percent-encoded.",
    defaultText: "none",
    mustBe: "NAME=VALUE, separated by commas and percent-encoded",
    read: (variable) =>
      Config.schema(Schema.String.check(arePairs), variable).pipe(Config.map(pairsIn), Config.withDefault(null))
  }),
  telemetryRatio: numberSetting("OTEL_TRACES_SAMPLER_ARG", SAMPLED_SHARE, {
    description:
      "The share of traces to send, from 0 to 1. For a request with a traceparent, its caller decides. Metrics and logs are sent in full.",
    fallback: 1
  })
}

type Read = ValuesOf<typeof TELEMETRY_SETTINGS>

/** The address and headers of the collector; the headers are secret. */
export type TelemetryTarget = Omit<Telemetry.Options, "headers"> & { readonly headers: Redacted.Redacted | undefined }

/** Null without an address. */
export const telemetryOf = (read: Read): TelemetryTarget | null =>
  Option.match(read.telemetryUrl, {
    onNone: () => null,
    onSome: (url) => ({
      url,
      headers: Option.getOrUndefined(read.telemetryHeaders),
      serviceName: read.telemetryName,
      attributes: read.telemetryAttributes ?? {},
      ratio: read.telemetryRatio
    })
  })

export const optionsOf = ({ headers, ...target }: TelemetryTarget): Telemetry.Options => ({
  ...target,
  headers: headers === undefined ? undefined : pairsIn(Redacted.value(headers)) ?? undefined
})
