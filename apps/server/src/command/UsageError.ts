/** The command cannot run as it was called or set up: told in plain words, without a stack trace. */
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"

export class UsageError extends Schema.TaggedError<UsageError>()("UsageError", {
  message: Schema.String,
  /** 2: the command line is wrong; 1: it is right, but what it needs is not there. */
  exitCode: Schema.Literals([1, 2])
}) {
  override readonly [Runtime.errorExitCode] = this.exitCode
  override readonly [Runtime.errorReported] = false
}
