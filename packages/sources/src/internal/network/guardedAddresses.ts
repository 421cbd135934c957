/**
 * Resolves a name and checks the addresses.
 *
 * Callers connect to the returned addresses and never resolve the name again, because a second lookup might return
 * others.
 */
import { lookup } from "node:dns/promises"
import { isIP, type LookupFunction } from "node:net"
import { checkNumbers, MILLISECONDS } from "@tributary/core/model/NumberRule"
import { FatalFailure, RetryableFailure } from "@tributary/core/ports/Provider"
import { isAllowedAddress, isPublicAddress } from "./publicAddress.ts"

export interface Network {
  /**
   * Allows loopback and private addresses: all of them, or these addresses and networks, such as `10.0.0.0/8`. Cloud
   * metadata services are never allowed.
   */
  readonly allowPrivateAddresses?: boolean | ReadonlyArray<string>
  /** Idle timeout of a source. Default: 30 seconds. */
  readonly timeoutMillis?: number
  /** All addresses of a name; by default from the system's resolver. */
  readonly resolve?: (name: string) => Promise<ReadonlyArray<string>>
}

/** Throws a `TypeError` if the timeout is out of its range. */
export const timeoutOf = ({ timeoutMillis = 30_000 }: Network): number => {
  checkNumbers({ timeoutMillis: MILLISECONDS }, { timeoutMillis })
  return timeoutMillis
}

const systemAddresses = async (name: string): Promise<ReadonlyArray<string>> =>
  (await lookup(name, { all: true })).map(({ address }) => address)

const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, "$1")

const resolved = async (host: string, network: Network): Promise<ReadonlyArray<string>> => {
  try {
    return await (network.resolve ?? systemAddresses)(host)
  } catch {
    throw new RetryableFailure({ message: `The name ${host} cannot be resolved.` })
  }
}

const mayReach = (address: string, { allowPrivateAddresses = false }: Network): boolean =>
  isPublicAddress(address) || isAllowedAddress(address, allowPrivateAddresses)

/** The allowed addresses, at least one. Throws a `SyncFailure`. */
export const guardedAddresses = async (
  name: string,
  network: Network
): Promise<readonly [string, ...Array<string>]> => {
  const host = withoutBrackets(name)
  const addresses = isIP(host) === 0 ? await resolved(host, network) : [host]
  const [first, ...others] = addresses.filter((address) => mayReach(address, network))
  if (first !== undefined) return [first, ...others]
  throw new FatalFailure({
    message: `${host} is a private or reserved address, which connections may not reach unless the operator allows it.`
  })
}

/** Options of a connection by the name: of several addresses, the runtime takes one that answers. */
export const connectionTo = (addresses: ReadonlyArray<string>) => {
  const lookup: LookupFunction = (_name, _options, callback) =>
    callback(null, addresses.map((address) => ({ address, family: isIP(address) })))
  return { autoSelectFamily: true, lookup }
}
