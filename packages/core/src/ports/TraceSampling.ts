/** Whether a trace that begins now is sent. A request and a job ask it once, and all that they do follows. */
import { Context } from "effect"

export const TraceSampling = Context.Reference<() => boolean>("@tributary/core/ports/TraceSampling", {
  defaultValue: () => () => true
})
