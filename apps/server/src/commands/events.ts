/** `tributary events`: events of documents, one per line. */
import { ConnectionError, type Event } from "@tributary/client"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Given } from "../command/Command.ts"
import { calledWrongly } from "../transport/failures.ts"
import { workspace } from "../transport/connect.ts"
import { moment, onOneLine } from "./printing.ts"

/** The delay before a broken stream is opened again. */
const PAUSE = "2 seconds"

const lineOf = ({ created_at, external_id, source, type }: Event): string =>
  [moment(created_at), type.padEnd("document.created".length), onOneLine(source), onOneLine(external_id)].join("  ")

const printing = (given: Given) => (event: Event) =>
  Console.log(given.has("json") ? JSON.stringify(event) : lineOf(event))

const queryOf = (given: Given) => {
  const [source, kind] = [given.value("source"), given.value("kind")]
  return { ...(source === undefined ? {} : { source }), ...(kind === undefined ? {} : { kind }) }
}

const linesOf = <A>(events: () => AsyncIterable<A>, print: (event: A) => Effect.Effect<void>) =>
  Stream.runForEach(Stream.fromAsyncIterable(events(), (error) => error), print)

/** Expected failures as a message; defects stay defects. */
const refused = ({ ask }: Effect.Success<ReturnType<typeof workspace>>, error: unknown) =>
  ask(() => Promise.reject(error))

export const events = Effect.fnUntraced(function*(given: Given) {
  const reached = yield* workspace(given)
  const { client, streams } = reached
  const print = printing(given)
  if (!given.has("follow")) {
    return yield* linesOf(() => client.events.list(queryOf(given)), print).pipe(
      Effect.catch((error) => refused(reached, error))
    )
  }
  if (!streams) return yield* calledWrongly("--follow needs a server's address: name it with --url and --key.")

  let last: string | undefined
  const live = Effect.suspend(() =>
    linesOf(
      () => client.events.live(queryOf(given), last === undefined ? {} : { after: last }),
      ({ event, id }) => {
        last = id
        return print(event)
      }
    )
  )
  return yield* live.pipe(
    Effect.catchIf((error) => error instanceof ConnectionError, ({ message }) => Console.error(message)),
    Effect.catch((error) => refused(reached, error)),
    Effect.andThen(Effect.sleep(PAUSE)),
    Effect.forever
  )
}, Effect.scoped)
