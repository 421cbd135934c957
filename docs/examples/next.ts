/** The knowledge base of a Next.js application: for its pages, and with `handle` for its routes. */
import { open } from "@tributary/tributary"

const start = async () => {
  const kb = await open({ storage: "embedded", directory: process.env["DATA_DIR"] ?? ".tributary" })
  return { kb, handler: await kb.handler({ baseUrl: process.env["BASE_URL"] ?? "http://localhost:3000" }) }
}

// Next.js evaluates a module several times in one process: for pages, for routes, and after each edit.
const shared = globalThis as { knowledge?: ReturnType<typeof start> | undefined }

const startOrForget = () =>
  start().catch((cause: unknown) => {
    shared.knowledge = undefined
    throw cause
  })

/** Opened with the first request, because a build evaluates modules, too; after a failure, with the next one. */
export const knowledge = (): ReturnType<typeof start> => shared.knowledge ??= startOrForget()

export const handle = async (request: Request): Promise<Response> => (await knowledge()).handler(request)
