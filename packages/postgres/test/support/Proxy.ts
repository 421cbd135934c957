/** A wire to the database that can be cut. */
import { Effect } from "effect"
import { connect, createServer, type Socket } from "node:net"

export const cuttable = (url: string) =>
  Effect.acquireRelease(
    Effect.callback<
      { readonly url: string; readonly cut: () => void; readonly mend: () => void; readonly close: () => void }
    >(
      (resume) => {
        const target = new URL(url)
        const wires = new Set<Socket>()
        let isCut = false
        const server = createServer((near) => {
          if (isCut) {
            near.destroy()
            return
          }
          const far = connect(Number(target.port), target.hostname)
          for (const [wire, other] of [[near, far], [far, near]] as const) {
            wires.add(wire)
            wire.on("error", () => other.destroy())
            wire.on("close", () => {
              wires.delete(wire)
              other.destroy()
            })
            wire.pipe(other)
          }
        })
        const cut = () => {
          isCut = true
          for (const wire of wires) wire.destroy()
        }
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          const through = new URL(url)
          through.hostname = "127.0.0.1"
          through.port = String(typeof address === "object" ? address?.port : 0)
          resume(Effect.succeed({
            url: through.toString(),
            cut,
            mend: () => {
              isCut = false
            },
            close: () => {
              cut()
              server.close()
            }
          }))
        })
      }
    ),
    ({ close }) => Effect.sync(close)
  )
