/** The network address of the client. */
import { Context } from "effect"

/** The client's network address, for audit entries; null without a network. */
export const ClientAddress = Context.Reference<string | null>("@tributary/core/ClientAddress", {
  defaultValue: () => null
})

/** How many groups of an IPv6 address name its network: a client usually has a whole /64. */
const NETWORK_GROUPS = 4

const groupsOf = (part: string | undefined): ReadonlyArray<string> =>
  part === undefined || part === "" ? [] : part.split(":")

/** What limits count by: an IPv4 address, or the /64 of an IPv6 address. */
export const networkOf = (address: string): string => {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (mapped !== undefined) return mapped
  if (!address.includes(":")) return address
  const [before, after] = address.replace(/%.*/s, "").split("::").map(groupsOf)
  const [first = [], last = []] = [before, after]
  const omitted = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => "0")
  const groups = [...first, ...omitted, ...last].slice(0, NETWORK_GROUPS)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`
}
