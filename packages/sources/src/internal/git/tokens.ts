import { FatalFailure } from "@tributary/core/ports/Provider"

/** A tree may name a file with hundreds of megabytes. */
const MAX_BYTES = 1_048_576

/** The NUL-separated output of git with -z, one token at a time. */
export async function* tokens(output: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0)
  for await (const part of output) {
    let start = 0
    for (let at = part.indexOf(0); at !== -1; at = part.indexOf(0, start)) {
      yield Buffer.concat([rest, part.subarray(start, at)]).toString("utf8")
      rest = Buffer.alloc(0)
      start = at + 1
    }
    rest = Buffer.concat([rest, part.subarray(start)])
    if (rest.length > MAX_BYTES) throw new FatalFailure({ message: "The repository has a name that is too long." })
  }
}
