/** An answer as it must be: a vector of finite numbers for each text, all of one length. */
import { Result, Schema } from "effect"
import type { Failure } from "./requestJson.ts"

const Answer = Schema.Struct({
  data: Schema.Array(Schema.Struct({ index: Schema.Int, embedding: Schema.Array(Schema.Finite) }))
})

const decode = Schema.decodeUnknownResult(Answer)

/** The answer was made as meant, so another attempt would end alike. */
const wrong = (reason: string) => Result.fail<Failure>({ reason, retryAfter: null })

/** In the order of the texts, whatever the order of the answer. */
export const readVectors = (
  body: unknown,
  count: number,
  length: number | null
): Result.Result<ReadonlyArray<ReadonlyArray<number>>, Failure> => {
  const decoded = decode(body)
  if (Result.isFailure(decoded)) return wrong("its answer holds no vectors")
  const vectors = new Map(decoded.success.data.map(({ embedding, index }) => [index, embedding]))
  const ordered = Array.from({ length: count }, (_, index) => vectors.get(index))
  if (decoded.success.data.length !== count || ordered.includes(undefined)) {
    return wrong(`it answered ${decoded.success.data.length} vectors for ${count} texts`)
  }
  const sound = ordered.map((vector) => vector ?? [])
  const wanted = length ?? sound[0]?.length ?? 0
  const other = sound.find((vector) => vector.length !== wanted || wanted === 0)
  return other === undefined
    ? Result.succeed(sound)
    : wrong(`it answered a vector of ${other.length} numbers instead of ${wanted}`)
}
