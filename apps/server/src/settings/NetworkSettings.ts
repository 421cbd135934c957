/** Settings of the network: which private addresses may be reached, which proxies are trusted, and how often one address may connect. */
import { wholeNumber } from "@tributary/core/model/NumberRule"
import * as Config from "effect/Config"
import * as Schema from "effect/Schema"
import { networksOf } from "./networks.ts"
import { numberSetting, setting } from "./Setting.ts"

const listed = (text: string): ReadonlyArray<string> => text === "" ? [] : text.split(",").map((part) => part.trim())

const areNetworks = (text: string): boolean => networksOf(listed(text)) !== null

const TRUTH: ReadonlyMap<string, boolean> = new Map([["true", true], ["false", false]])

const PRIVATE_ADDRESSES = Schema.makeFilter<string>((text) => TRUTH.has(text) || areNetworks(text))

export const allowPrivateAddresses = setting("TRIBUTARY_ALLOW_PRIVATE_ADDRESSES", {
  description:
    "The private addresses and networks that connections and webhooks may reach, separated by commas, such as 10.1.0.0/16,127.0.0.1; true allows all of them. Metadata services of clouds are never reached.",
  defaultText: "false",
  mustBe: "true, false, or IP addresses and networks such as 10.0.0.0/8, separated by commas",
  read: (variable) =>
    Config.schema(Schema.String.check(PRIVATE_ADDRESSES), variable).pipe(
      Config.withDefault("false"),
      Config.map((text) => TRUTH.get(text) ?? listed(text))
    )
})

export const trustedProxies = setting("TRIBUTARY_TRUSTED_PROXIES", {
  description:
    "The addresses and networks of trusted proxies, separated by commas. Their X-Forwarded-For is the client address in the audit log, and they may have any number of connections.",
  defaultText: "none",
  mustBe: "IP addresses and networks such as 10.0.0.0/8, separated by commas",
  read: (variable) =>
    Config.schema(Schema.String.check(Schema.makeFilter(areNetworks)), variable).pipe(
      Config.withDefault(""),
      Config.map(listed)
    )
})

export const connectionsPerAddress = numberSetting("TRIBUTARY_CONNECTIONS_PER_ADDRESS", wholeNumber(1, 1_000_000), {
  description:
    "The maximum number of open connections from one IPv4 address, or from one /64 network of IPv6. Further ones are reset. It does not apply to TRIBUTARY_TRUSTED_PROXIES.",
  fallback: 2048
})
