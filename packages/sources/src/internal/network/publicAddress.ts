/** Which addresses a connection may reach: those of the public internet, and nothing that stands for another one. */
import ipaddr from "ipaddr.js"

/** Public by number, yet they answer about the machine that asks: metadata and control services of clouds. */
const METADATA: ReadonlySet<string> = new Set(["168.63.129.16", "100.100.100.200", "192.0.0.192"])

// Everything else in IPv6 is local, reserved, or an IPv4 address in another form.
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3")

/** `address` is a literal one. */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address) || METADATA.has(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== "unicast") return false
  return parsed instanceof ipaddr.IPv4 ? ipaddr.IPv4.isValidFourPartDecimal(address) : parsed.match(GLOBAL_UNICAST)
}
