/** Calls the service without HTTP, as the operator of this machine; a workspace's id replaces a key. */
import { createOperator } from "@tributary/client/operator"
import * as Effect from "effect/Effect"
import type { ApiRequest, ApiResponse } from "../storage/ApiRequest.ts"
import { ADDRESS, OPERATOR_TOKEN } from "./LocalApi.ts"
import { chooseWorkspace, firstWorkspaces } from "./chooseWorkspace.ts"
import { asking } from "./failures.ts"
import type { Transport } from "./Transport.ts"

const bodyOf = async (request: Request): Promise<Pick<ApiRequest, "body" | "content_type">> => {
  const type = request.headers.get("content-type")
  if (type === null || /^(application\/json|text\/)/.test(type)) return { body: await request.text() }
  return { body: Buffer.from(await request.arrayBuffer()).toString("base64"), content_type: type }
}

const fetchOver =
  (send: (request: ApiRequest) => Promise<ApiResponse>): typeof globalThis.fetch => async (input, init) => {
    const request = new Request(input, init)
    const { pathname, search } = new URL(request.url)
    const { body, headers, status } = await send({
      method: request.method,
      path: `${pathname}${search}`,
      authorization: request.headers.get("authorization") ?? "",
      ...await bodyOf(request)
    })
    return new Response(body === "" ? null : body, { status, headers })
  }

export const overLocalApi = (target: string, send: (request: ApiRequest) => Promise<ApiResponse>): Transport => {
  const fetch = fetchOver(send)
  const operator = createOperator({ baseUrl: ADDRESS, apiKey: OPERATOR_TOKEN, fetch })
  const list = asking(target, () => firstWorkspaces(operator))
  return {
    target,
    baseUrl: ADDRESS,
    fetch,
    streams: false,
    operatorToken: Effect.succeed(OPERATOR_TOKEN),
    workspaceKey: (id) => chooseWorkspace(id, list)
  }
}
