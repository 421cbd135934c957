/**
 * Where a name leads, checked.
 *
 * The one who connects uses the answer and never looks the name up again: a second answer might be another one.
 */
import { lookup } from "node:dns/promises"
import { isIP } from "node:net"
import { FatalFailure, RetryableFailure } from "@tributary/core/ports/Provider"
import { isAllowedAddress, isPublicAddress } from "./publicAddress.ts"

export interface Network {
  /**
   * Lets connections reach loopback and private addresses: all of them, or these addresses and networks such as
   * `10.0.0.0/8`. Metadata services of clouds are never reached.
   */
  readonly allowPrivateAddresses?: boolean | ReadonlyArray<string>
  /** How long a source may stay silent. Default: 30 seconds. */
  readonly timeoutMillis?: number
  /** Every address of a name; by default the system's resolver. */
  readonly resolve?: (name: string) => Promise<ReadonlyArray<string>>
}

export const DEFAULT_TIMEOUT = 30_000

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

/** The first address that may be reached. Throws `SyncFailure`s. */
export const guardedAddress = async (name: string, network: Network): Promise<string> => {
  const host = withoutBrackets(name)
  const addresses = isIP(host) === 0 ? await resolved(host, network) : [host]
  const first = addresses.find((address) => mayReach(address, network))
  if (first !== undefined) return first
  throw new FatalFailure({
    message: `${host} is a private or reserved address, which connections may not reach unless the operator allows it.`
  })
}
