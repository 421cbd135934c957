/** IP networks in settings. */
import { BlockList, isIP } from "node:net"

export const familyOf = (address: string): "ipv4" | "ipv6" => isIP(address) === 6 ? "ipv6" : "ipv4"

/** Addresses and networks such as `10.0.0.0/8`; null when one of the texts is neither. */
export const networksOf = (texts: ReadonlyArray<string>): BlockList | null => {
  const networks = new BlockList()
  for (const text of texts) {
    const [address = "", bits, ...more] = text.split("/")
    const most = isIP(address) === 6 ? 128 : 32
    const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Infinity
    if (isIP(address) === 0 || length > most || more.length > 0) return null
    networks.addSubnet(address, length, familyOf(address))
  }
  return networks
}
