/** MCP over standard input and output: one client, for as long as the input stays open. */
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import { Effect } from "effect"
import type { Readable, Writable } from "node:stream"
import { serverFor } from "./server.ts"
import type { Session } from "./Session.ts"

/** The maximum size of a message, as of a request of the public API. */
const MAX_MESSAGE = 32 * 1_048_576

/** Serves until the input ends. A message that is too large ends it, too. */
export const serve = (session: Session, input: Readable, output: Writable): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const transport = new StdioServerTransport(input, output, { maxBufferSize: MAX_MESSAGE })
    const connection = serveStdio(() => serverFor(session), { transport, maxSubscriptions: 0 })
    const end = () => resume(Effect.void)
    input.once("end", end).once("close", end)
    return Effect.promise(() => connection.close())
  })
