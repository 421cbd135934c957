/** Questions and answers on a terminal, until the user leaves. */
import type { Answer } from "@tributary/client"
import { type Exchange, historyOf, type Turn } from "@tributary/core/model/AskHistory"
import * as Effect from "effect/Effect"
import { createInterface } from "node:readline"
import { plain } from "../../cli/printing.ts"
import type { UsageError } from "../../UsageError.ts"
import { belowAnswer } from "./answerText.ts"

/** Asks, and prints the answer while it is streamed. */
export type Ask = (
  query: string,
  history: ReadonlyArray<Turn>,
  onText: (text: string) => void
) => Effect.Effect<Answer, UsageError>

const HINT = "Ask a question. Ctrl-C stops an answer, Ctrl-D leaves."

const terminal = Effect.acquireRelease(
  Effect.sync(() => createInterface({ input: process.stdin, output: process.stdout, prompt: "\n> " })),
  (lines) => Effect.sync(() => lines.close())
)

type Lines = Effect.Success<typeof terminal>

/** The next question; null when the user leaves. */
const nextQuestion = (lines: Lines) =>
  Effect.callback<string | null>((resume) => {
    const hear = (line: string) => resume(Effect.succeed(line.trim()))
    const leave = () => resume(Effect.succeed(null))
    lines.once("line", hear).once("close", leave).once("SIGINT", leave)
    lines.prompt()
    return Effect.sync(() => lines.off("line", hear).off("close", leave).off("SIGINT", leave))
  })

const stopped = (lines: Lines) =>
  Effect.callback<null>((resume) => {
    const stop = () => resume(Effect.succeed(null))
    lines.once("SIGINT", stop).once("close", stop)
    return Effect.sync(() => lines.off("SIGINT", stop).off("close", stop))
  })

const say = (text: string): void => void process.stdout.write(text)

/** The answer; null if it was stopped or failed. */
const answered = (ask: Ask, lines: Lines, query: string, history: ReadonlyArray<Turn>) => {
  let isStreamed = false
  const onText = (text: string) => {
    isStreamed = true
    say(plain(text))
  }
  const answer = Effect.map(ask(query, history, onText), (answer) => {
    if (!isStreamed) say(plain(answer.response))
    say(`\n\n${belowAnswer(answer, true)}`.trimEnd() + "\n")
    return answer
  })
  return Effect.raceFirst(answer, Effect.tap(stopped(lines), () => Effect.sync(() => say("\nStopped.\n")))).pipe(
    Effect.catch(({ message }) =>
      Effect.sync(() => {
        say(`${message}\n`)
        return null
      })
    )
  )
}

export const converse = Effect.fnUntraced(function*(ask: Ask) {
  const lines = yield* terminal
  say(`${HINT}\n`)
  const exchanges: Array<Exchange> = []
  while (true) {
    const query = yield* nextQuestion(lines)
    if (query === null) return say("\n")
    if (query === "") continue
    const answer = yield* answered(ask, lines, query, historyOf(exchanges))
    if (answer !== null) exchanges.push({ query, answer })
  }
})
