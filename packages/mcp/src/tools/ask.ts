/** `ask`: a question answered from the knowledge context, with verbatim citations. */
import { Answer, AskRequest } from "@tributary/core/model/Ask"
import { Effect, Schema, Stream } from "effect"
import { Progress } from "../Progress.ts"
import * as PublicApi from "../PublicApi.ts"
import { Refused } from "../Refused.ts"
import { tool } from "../Tool.ts"
import { from, sources, to } from "./fields.ts"

const ASK = "/v1/knowledge/ask"

const object = PublicApi.expect(Schema.JsonObject)

const INTERRUPTED = Refused.of("service_unavailable", "The answer broke off. Ask again.")

type Report = (message: string) => Effect.Effect<void>

/** The same answer, with a word about each source on the way. */
const askWithProgress = (request: object, report: Report) =>
  Effect.andThen(
    report("Looking for evidence"),
    PublicApi.postForEvents(ASK, request).pipe(
      Stream.runFoldEffect(
        () => ({ answer: null as Schema.Json, citations: 0, writing: false }),
        (state, { data, event }) => {
          switch (event) {
            case "error":
              return Effect.fail(new Refused({ body: data }))
            case "done":
              return Effect.succeed({ ...state, answer: data })
            case "citation":
              return Effect.as(report(`Found source ${state.citations + 1}`), {
                ...state,
                citations: state.citations + 1
              })
            default:
              return Effect.as(state.writing ? Effect.void : report("Writing the answer"), { ...state, writing: true })
          }
        }
      ),
      Effect.flatMap(({ answer }) => answer === null ? Effect.fail(INTERRUPTED) : Effect.succeed(answer))
    )
  )

export const ask = tool({
  name: "ask",
  title: "Ask a question",
  description: `Answers a question from the knowledge base, with citations that quote the documents word for word.

Use it first for any question about this organisation's own documents: policies, decisions, projects, people, tickets, mail. Ask one complete question in natural language, with its names and dates; do not split it into keywords. To browse or to collect many documents, use search.

In the answer, every [n] in response is the marker of one of the citations; its entity has the id, title, url and the quote. Keep these markers and list the sources by title and url when you repeat the answer. When answered is false, no passage is certain to answer: say so and do not guess; related, where present, holds the passages that came closest, of which one may hold the answer.

Examples: {"query": "How many weeks of parental leave do we give?"} · {"query": "Why did the checkout fail on 12 March?", "sources": ["issue"], "from": "2026-03-01T00:00:00Z"}`,
  scopes: ["knowledge:read"],
  input: Schema.Struct({
    query: AskRequest.fields.query.annotate({
      description: "The question, as a whole sentence.",
      examples: ["How many weeks of parental leave do we give?"]
    }),
    sources,
    from,
    to
  }),
  output: Schema.toEncoded(Answer),
  run: (request) =>
    Effect.flatMap(
      Progress,
      (report) => object(report === null ? PublicApi.post(ASK, request) : askWithProgress(request, report))
    )
})
