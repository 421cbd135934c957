/** The official clients of both lines behind one face, over any of their transports. */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client"
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"

export interface ToolResult {
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

const faceOf = (client: ClientV1 | ClientV2) => ({
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

/** By the line of the library, over a transport of that line. */
export const connect = {
  v1: async (transport: unknown): Promise<Assistant> => {
    const client = new ClientV1(INFO)
    await client.connect(transport as Transport)
    return faceOf(client)
  },
  v2: async (transport: Parameters<ClientV2["connect"]>[0]): Promise<Assistant> => {
    const client = new ClientV2(INFO)
    await client.connect(transport)
    return faceOf(client)
  }
}

/** Over HTTP. Once it is connected, what follows goes to `then`, as behind a proxy before several nodes. */
export const overHttp = async (line: "v1" | "v2", url: string, key: string, then = url): Promise<Assistant> => {
  let node = url
  const endpoint = new URL(`${url}/mcp`)
  const options = {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    fetch: (target: URL | string, init?: RequestInit) => fetch(String(target).replace(url, node), init)
  }
  const client = line === "v1"
    ? await connect.v1(new HttpV1(endpoint, options))
    : await connect.v2(new HttpV2(endpoint, options))
  node = then
  return client
}
