/** The official clients of both lines behind one face, over any of their transports. */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client"
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"

interface ToolResult {
  readonly structuredContent: Readonly<Record<string, unknown>>
  readonly isError: boolean
  readonly text: string
}

interface Options {
  readonly onprogress?: (event: { readonly progress: number; readonly message?: string | undefined }) => void
  readonly signal?: AbortSignal
}

const INFO = { name: "test", version: "1.0.0" }

const resultOf = (result: unknown): ToolResult => {
  const { content, isError = false, structuredContent = {} } = result as {
    readonly content: ReadonlyArray<{ readonly text: string }>
    readonly isError?: boolean
    readonly structuredContent?: ToolResult["structuredContent"]
  }
  return { structuredContent, isError, text: content[0]!.text }
}

const faceOf = (client: ClientV1 | ClientV2, revision: string | undefined) => ({
  /** The negotiated revision. */
  revision,
  instructions: () => client.getInstructions(),
  tools: async () => (await client.listTools()).tools,
  call: async (name: string, args: Record<string, unknown> = {}, options: Options = {}) => {
    const request = { name, arguments: args }
    return resultOf(
      client instanceof ClientV1
        ? await client.callTool(request, undefined, options)
        : await client.callTool(request, options)
    )
  },
  templates: async () => (await client.listResourceTemplates()).resourceTemplates,
  read: async (uri: string) => (await client.readResource({ uri })).contents,
  prompts: async () => (await client.listPrompts()).prompts,
  prompt: async (name: string, args: Record<string, string>) => client.getPrompt({ name, arguments: args }),
  close: () => client.close()
})

export type Assistant = ReturnType<typeof faceOf>

export type Line = "v1" | "v2"

/** The revisions of each line. */
const REVISIONS: Readonly<Record<Line, ReadonlyArray<string>>> = {
  v1: ["2024-10-07", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"],
  v2: ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
}

export const EVERY_REVISION = (["v1", "v2"] as const).flatMap((line) =>
  REVISIONS[line].map((revision) => [line, revision] as const)
)

/**
 * This line has no option for the revision: its first message names it, and its transport learns the negotiated one.
 */
const beginningWith = (revision: string, transport: Transport) => {
  let agreed: string | undefined
  const send = transport.send.bind(transport)
  transport.send = (message, options) =>
    send(
      "method" in message && message.method === "initialize"
        ? { ...message, params: { ...message.params, protocolVersion: revision } }
        : message,
      options
    )
  const hear = transport.setProtocolVersion?.bind(transport)
  transport.setProtocolVersion = (version) => {
    agreed = version
    hear?.(version)
  }
  return { transport, agreed: () => agreed }
}

const speaking = (revision: string) =>
  revision < "2026"
    ? { supportedProtocolVersions: [revision] }
    : { versionNegotiation: { mode: { pin: revision } } }

/** By the library's version, over its transport. */
export const connect = {
  v1: async (transport: unknown, revision = "2025-11-25"): Promise<Assistant> => {
    const client = new ClientV1(INFO)
    const begun = beginningWith(revision, transport as Transport)
    await client.connect(begun.transport)
    return faceOf(client, begun.agreed())
  },
  v2: async (
    transport: Parameters<ClientV2["connect"]>[0],
    revision = "2025-11-25"
  ): Promise<Assistant> => {
    const client = new ClientV2(INFO, speaking(revision))
    await client.connect(transport)
    return faceOf(client, client.getNegotiatedProtocolVersion())
  }
}

interface Way {
  readonly revision?: string
  /** The address of all requests once it is connected, as behind a proxy of several nodes. */
  readonly afterwards?: string
}

export const overHttp = async (
  line: Line,
  url: string,
  key: string,
  { afterwards = url, revision }: Way = {}
): Promise<Assistant> => {
  let node = url
  const endpoint = new URL(`${url}/mcp`)
  const options = {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    fetch: (target: URL | string, init?: RequestInit) => fetch(String(target).replace(url, node), init)
  }
  const client = line === "v1"
    ? await connect.v1(new HttpV1(endpoint, options), revision)
    : await connect.v2(new HttpV2(endpoint, options), revision)
  node = afterwards
  return client
}
