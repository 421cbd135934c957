/** One operation answers questions at once or as a job; the answer shows which. */
import type { Answer, AskJob } from "@tributary/core/model/Ask"
import { Effect } from "effect"
import { TributaryError } from "./TributaryError.ts"

const unexpected = (wanted: string) =>
  Effect.fail(
    new TributaryError({
      code: "unexpected_answer",
      message: `The service sent no ${wanted}.`,
      status: 200
    })
  )

export const answerOf = (sent: Answer | AskJob) => "response" in sent ? Effect.succeed(sent) : unexpected("answer")

export const jobOf = (sent: Answer | AskJob) => "response" in sent ? unexpected("job") : Effect.succeed(sent)
