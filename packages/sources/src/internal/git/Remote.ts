/** The checked address of a repository. */
import { FatalFailure } from "@tributary/core/ports/Provider"
import { guardedAddresses, type Network } from "../network/guardedAddresses.ts"
import { basicAuthorization, type Credentials, type WebClient } from "../network/webClient.ts"
import type { GitConfiguration, GitRun } from "./gitProcess.ts"
import { localRepository } from "./localRepository.ts"

export interface Remote {
  readonly url: string
  readonly settings: Required<Pick<GitRun, "configuration" | "protocols">>
  /** Throws if the data may have come from somewhere else. */
  readonly recheck: () => Promise<void>
}

const ADVERTISEMENT = "/info/refs?service=git-upload-pack"
const ADVERTISEMENT_TYPE = "application/x-git-upload-pack-advertisement"

/** We send the first request, so that redirects are checked and errors are understood. */
const findRepository = async (
  client: WebClient,
  url: string,
  credentials: Credentials | undefined,
  signal: AbortSignal
): Promise<URL> => {
  const base = url.split(/[?#]/, 1)[0]!.replace(/(?<!\/)\/+$/, "")
  const answer = await client({
    url: `${base}${ADVERTISEMENT}`,
    headers: { "git-protocol": "version=2" },
    credentials,
    signal
  })
  const found = answer.url.endsWith(ADVERTISEMENT) ? answer.url.slice(0, -ADVERTISEMENT.length) : null
  if (found === null || answer.headers.get("content-type") !== ADVERTISEMENT_TYPE) {
    throw new FatalFailure({ message: `${base} is no git repository.` })
  }
  return new URL(found)
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === "https:" ? "443" : "80")

/** Git connects to the addresses that were checked. */
const pinned = (url: URL, addresses: ReadonlyArray<string>): GitConfiguration => [[
  "http.curloptResolve",
  `${url.hostname}:${portOf(url)}:${
    addresses.map((address) => address.includes(":") ? `[${address}]` : address).join(",")
  }`
]]

export interface RemoteLocation {
  /** A URL or a path. */
  readonly repository: string
  readonly credentials: Credentials | undefined
}

export const findRemote = async (
  { credentials, repository }: RemoteLocation,
  { client, network, roots }: { client: WebClient; network: Network; roots: ReadonlyArray<string> },
  signal: AbortSignal
): Promise<Remote> => {
  if (!/^https?:/i.test(repository)) {
    const { directory, recheck } = await localRepository(repository, roots)
    return { url: directory, settings: { protocols: "file", configuration: [] }, recheck }
  }
  const url = await findRepository(client, repository, credentials, signal)
  const addresses = await guardedAddresses(url.hostname, network)
  const isSameOrigin = url.origin === new URL(repository).origin
  const login = credentials !== undefined && isSameOrigin
    ? [["http.extraHeader", `Authorization: ${basicAuthorization(credentials)}`] as const]
    : []
  return {
    url: url.href,
    settings: { protocols: "http:https", configuration: [...pinned(url, addresses), ...login] },
    recheck: async () => undefined
  }
}
