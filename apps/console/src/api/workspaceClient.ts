/** The public client, with the session as its credential and one workspace to act in. `send` may be another `fetch`. */
import { type Client, createClient } from "@tributary/client"
import { OF_CONSOLE } from "./consoleApi.ts"
import { signedOut } from "./signedOut.ts"

export const workspaceClient = (workspaceId: string, send: typeof fetch = fetch): Client =>
  createClient({
    baseUrl: location.origin,
    // The cookie is the credential: the header that this would become is taken off again.
    apiKey: "session",
    retries: { attempts: 3 },
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers)
      headers.delete("authorization")
      headers.set("x-workspace-id", workspaceId)
      for (const [name, value] of Object.entries(OF_CONSOLE)) headers.set(name, value)
      const response = await send(input, { ...init, headers })
      if (response.status === 401) signedOut()
      return response
    }
  })
