/** What the operations of the client are made of. */
import type { Connected } from "../connecting.ts"
import type { TributaryClient } from "../TributaryClient.ts"

export type ConnectedClient = Connected<TributaryClient, typeof TributaryClient.Service>
