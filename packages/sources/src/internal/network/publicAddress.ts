/** Which addresses a connection may reach: public ones, and private ones that the operator allows. */
import ipaddr from "ipaddr.js"

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Metadata and control services of clouds, which expose the machine; some have public addresses. */
const METADATA = [
  "169.254.0.0/16",
  "168.63.129.16",
  "100.100.100.200",
  "192.0.0.192",
  "fd00:ec2::/32",
  "fd20:ce::/32"
]

// Everything else in IPv6 is local, reserved, or an embedded IPv4 address.
const GLOBAL_UNICAST = "2000::/3"
const SIX_TO_FOUR = "2002::/16"

const isIn = (address: Address, network: string): boolean => {
  const [base = "", bits] = network.split("/")
  const parsed = ipaddr.parse(base)
  return parsed.kind() === address.kind() && address.match(parsed, Number(bits ?? parsed.toByteArray().length * 8))
}

/** An address, and the IPv4 addresses that may be embedded in it. */
const forms = (address: Address): ReadonlyArray<Address> => {
  if (address instanceof ipaddr.IPv4) return [address]
  const bytes = address.toByteArray()
  const ipv4 = [bytes.slice(-4), ...isIn(address, SIX_TO_FOUR) ? [bytes.slice(2, 6)] : []]
  return [address, ...ipv4.map((part) => new ipaddr.IPv4(part))]
}

const isMetadata = (address: Address): boolean =>
  forms(address).some((form) => METADATA.some((network) => isIn(form, network)))

/** `address` is a literal IP address. */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== "unicast" || isMetadata(parsed)) return false
  return parsed instanceof ipaddr.IPv4 ? ipaddr.IPv4.isValidFourPartDecimal(address) : isIn(parsed, GLOBAL_UNICAST)
}

/** Whether the operator allows a private address. Metadata services are never allowed, in any notation. */
export const isAllowedAddress = (address: string, allowed: boolean | ReadonlyArray<string>): boolean => {
  if (allowed === false || !ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  return !isMetadata(parsed) && (allowed === true || allowed.some((network) => isIn(parsed, network)))
}
