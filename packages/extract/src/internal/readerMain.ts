/** The process that parses files one after the other. */
import { Damaged } from "./Damaged.ts"
import { readFormat } from "./readFormat.ts"
import type { Answer, Task } from "./ReaderProcesses.ts"

const BROKEN = "The file is damaged, or not what its name says."

const answerTo = ({ bytes, charset, format }: Task): Promise<Answer> =>
  readFormat(format, bytes, charset).then(
    (extracted) => ({ extracted }),
    // Libraries have errors of their own for invalid bytes, with messages for developers.
    (error: unknown) => ({ damaged: error instanceof Damaged ? error.message : BROKEN })
  )

process.on("message", (task: Task) => void answerTo(task).then((answer) => process.send!(answer)))
process.on("disconnect", () => process.exit())
process.send!("ready")
