/** MCP over standard input and output: one client, for as long as the input stays open. */
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import { MAX_UPLOAD_BYTES } from "@tributary/core/model/Ingest"
import type { McpSession } from "@tributary/http/McpEndpoint"
import { Effect } from "effect"
import type { Readable, Writable } from "node:stream"
import { serverFor } from "./server.ts"

/** Serves until the input ends. A message that is too large ends it, too. */
export const serve = (session: McpSession, input: Readable, output: Writable): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const transport = new StdioServerTransport(input, output, { maxBufferSize: MAX_UPLOAD_BYTES })
    const connection = serveStdio(() => serverFor(session), { transport, maxSubscriptions: 0 })
    const end = () => resume(Effect.void)
    input.once("end", end).once("close", end)
    return Effect.promise(() => connection.close())
  })
