/** A receiver of events on this machine that verifies them with the official library. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook } from "standardwebhooks"

interface Got {
  readonly id: string
  readonly type: string
  readonly document: string
  readonly at: string
}

export const startReceiver = async () => {
  const got: Array<Got> = []
  const receiver = {
    got,
    /** The webhook's secret; a request with an invalid signature gets 400. */
    secret: "",
    url: "",
    /** The status for the n-th request, from 1. */
    statusOf: (_count: number): number => 204,
    unverified: 0,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
  let count = 0
  const server = createServer(async (request, response) => {
    const parts: Array<Buffer> = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts).toString()
    try {
      new Webhook(receiver.secret).verify(body, request.headers as Record<string, string>)
    } catch {
      receiver.unverified++
      response.writeHead(400).end()
      return
    }
    const status = receiver.statusOf(++count)
    if (status < 300) {
      const { data, type } = JSON.parse(body) as { type: string; data: Record<string, string> }
      got.push({
        id: String(request.headers["webhook-id"]),
        type,
        document: data["external_id"] ?? "",
        at: data["created_at"] ?? ""
      })
    }
    response.writeHead(status).end()
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return receiver
}

export type HookReceiver = Awaited<ReturnType<typeof startReceiver>>

/** For each document, the ids of its events in the order of their first arrival. */
export const ordersOf = ({ got }: HookReceiver): ReadonlyMap<string, ReadonlyArray<string>> => {
  const orders = new Map<string, Array<string>>()
  for (const { document, id } of got) {
    const order = orders.get(document) ?? []
    orders.set(document, order)
    if (!order.includes(id)) order.push(id)
  }
  return orders
}
