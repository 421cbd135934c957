/** Reports at the start which protection against hostile files the system does not offer. */
import { ExtractConfinement } from "@tributary/extract/Extract"
import * as Effect from "effect/Effect"

export const warnOfConfinement = Effect.gen(function*() {
  const confinement = yield* ExtractConfinement
  const { isFiltered, isNetworkless } = yield* Effect.promise(() => confinement)
  const missing = [
    ...isFiltered ? [] : ["no filter of system calls, which takes Linux and /usr/bin/perl"],
    ...isFiltered || isNetworkless ? [] : ["the server's access to the network"]
  ]
  if (missing.length === 0) return
  yield* Effect.logWarning("the processes that parse files are less confined than they could be").pipe(
    Effect.annotateLogs({ reason: `They have ${missing.join(", and ")}.` })
  )
})
