/** WebDAV requests and their responses. */
import { FatalFailure, RetryableFailure } from "@tributary/core/ports/Provider"
import type { Credentials, WebClient } from "../network/webClient.ts"
import { elements, parseXml, textOf, type XmlElement } from "../xml.ts"

export interface DavResponse {
  /** Absolute. */
  readonly url: string
  /** The status of the resource itself, if the server sends one: 404 when it is gone. */
  readonly status: number | null
  /** The properties that were found, by local name. */
  readonly properties: ReadonlyMap<string, XmlElement>
}

interface Multistatus {
  readonly url: string
  readonly responses: ReadonlyArray<DavResponse>
  readonly token: string | null
}

export type Dav = (request: {
  readonly url: string
  readonly method: "PROPFIND" | "REPORT"
  readonly depth: "0" | "1"
  readonly body: string
}) => Promise<Multistatus>

/** Servers choose the namespace prefixes. */
const localName = (name: string): string => name.slice(name.indexOf(":") + 1)

export const named = (parent: XmlElement, name: string): ReadonlyArray<XmlElement> =>
  elements(parent.children).filter((child) => localName(child.name) === name)

const statusOf = (parent: XmlElement): number | null => {
  const code = /\s(\d{3})(\s|$)/.exec(textOf(named(parent, "status")[0]))?.[1]
  return code === undefined ? null : Number(code)
}

const responseOf = (response: XmlElement, base: string): DavResponse | null => {
  const href = textOf(named(response, "href")[0])
  if (href === "" || !URL.canParse(href, base)) return null
  const found = named(response, "propstat").filter((stat) => (statusOf(stat) ?? 200) === 200)
  const properties = found.flatMap((stat) => named(stat, "prop"))
    .flatMap((all) => elements(all.children))
  return {
    url: new URL(href, base).href,
    status: statusOf(response),
    properties: new Map(properties.map((property) => [localName(property.name), property]))
  }
}

const rootOf = (text: string, host: string): XmlElement | undefined => {
  try {
    const { roots, unfinished } = parseXml(text)
    const root = roots.find(({ name }) => localName(name) === "multistatus")
    if (root === undefined || root !== unfinished) return root
    // Events that such a listing lacks may exist.
    throw new RetryableFailure({ message: `The answer of ${host} ends in the middle.` })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** A server that cannot send a partial response. Its error is not a listing. */
const TOO_MUCH = 507

export const makeDav =
  (client: WebClient, credentials: Credentials | undefined, signal: AbortSignal): Dav =>
  async ({ body, depth, method, url }) => {
    const answer = await client({
      url,
      method,
      headers: { depth, "content-type": "application/xml; charset=utf-8" },
      body: `<?xml version="1.0" encoding="utf-8"?>${body}`,
      credentials,
      signal,
      accepts: [TOO_MUCH]
    })
    const { host } = new URL(url)
    const root = rootOf(new TextDecoder().decode(answer.body), host)
    if (root === undefined) {
      throw new FatalFailure({ message: `What ${host} answers is no calendar server's answer.` })
    }
    return {
      url: answer.url,
      responses: named(root, "response").map((response) => responseOf(response, answer.url)).filter((one) =>
        one !== null
      ),
      token: textOf(named(root, "sync-token")[0]) || null
    }
  }

export const NAMESPACES =
  "xmlns:d=\"DAV:\" xmlns:c=\"urn:ietf:params:xml:ns:caldav\" xmlns:cs=\"http://calendarserver.org/ns/\""

export const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\"", "&quot;")

export const propfind = (
  dav: Dav,
  url: string,
  depth: "0" | "1",
  ...names: ReadonlyArray<string>
): Promise<Multistatus> =>
  dav({
    url,
    depth,
    method: "PROPFIND",
    body: `<d:propfind ${NAMESPACES}><d:prop>${names.map((name) => `<${name}/>`).join("")}</d:prop></d:propfind>`
  })
