/** `tributary ask`: one question, or a conversation on a terminal. */
import type { Answer, Client } from "@tributary/client"
import * as Effect from "effect/Effect"
import { answerText } from "./ask/answerText.ts"
import { type Ask, converse } from "./ask/conversation.ts"
import type { Arguments } from "../cli/Command.ts"
import { calledWrongly } from "../UsageError.ts"
import { workspaceClient } from "../transport/clients.ts"
import { ANSWER_TIMEOUT } from "../transport/overSocket.ts"
import { sourcesOf, textOf } from "./search.ts"

type Request = Parameters<Client["knowledge"]["ask"]>[0]

const isTerminal = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true

const requestOf = (args: Arguments, query: string): Request => ({
  query,
  ...sourcesOf(args),
  timezone: args.value("timezone") ?? null,
  language: args.value("language") ?? null
})

/** The answer, streamed to a callback. */
const streamed = async (
  { knowledge }: Client,
  request: Request,
  signal: AbortSignal,
  onText: (text: string) => void
): Promise<Answer> => {
  for await (const { data, event } of knowledge.askStream(request, { signal })) {
    if (event === "delta") onText(data.text)
    if (event === "done") return data
  }
  throw new Error("the stream of an answer ended without the answer")
}

export const ask = Effect.fnUntraced(function*(args: Arguments) {
  const query = textOf(args)
  if (query === "" && (args.has("json") || !isTerminal())) {
    return yield* calledWrongly("tributary ask: QUESTION is missing")
  }
  const { ask, client, streams } = yield* workspaceClient(args)
  if (query === "") {
    const one: Ask = (query, history, onText) => {
      const request = { ...requestOf(args, query), ...(history.length === 0 ? {} : { history }) }
      return ask((signal) =>
        streams
          ? streamed(client, request, signal, onText)
          // Who waits for a slow model can interrupt the command.
          : client.knowledge.ask(request, { signal, timeout: ANSWER_TIMEOUT })
      )
    }
    return yield* converse(one)
  }
  const answer = yield* ask((signal) =>
    client.knowledge.ask(requestOf(args, query), { signal, timeout: ANSWER_TIMEOUT })
  )
  return { json: answer, text: answerText(answer, process.stdout.isTTY === true) }
}, Effect.scoped)
