/** The command line or the configuration is wrong. Shown without a stack trace. */
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"

export class UsageError extends Schema.TaggedError<UsageError>()("UsageError", {
  message: Schema.String,
  /** 2: the command line is wrong; 1: a requirement is missing. */
  exitCode: Schema.Literals([1, 2]),
  /** Whether the same call may succeed later. */
  isTransient: Schema.optionalKey(Schema.Boolean)
}) {
  override readonly [Runtime.errorExitCode] = this.exitCode
  override readonly [Runtime.errorReported] = false
}

/** The command was right, and could not be carried out. */
export const failed = (message: string): UsageError => new UsageError({ message, exitCode: 1 })

export const calledWrongly = (message: string): UsageError => new UsageError({ message, exitCode: 2 })
