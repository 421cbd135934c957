/** Random operations of random clients, and the points at which a server is killed. */
import * as fc from "fast-check"

const NODES = 2
const IDS = 12

/** The cap of a workspace, unless an operator lowers it. */
export const DOCUMENTS = 9

const id = fc.nat(IDS - 1).map((number) => `note-${number}`)
const ids = fc.array(id, { minLength: 1, maxLength: 4 })

const anyOf = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      type: fc.constant("ingest" as const),
      // An id may occur in it twice: the later one counts.
      items: fc.array(fc.record({ id, filler: fc.constantFrom(0, 3, 400), again: fc.boolean(), isOld: fc.boolean() }), {
        minLength: 1,
        maxLength: 5
      })
    })
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("remove" as const), ids }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("removeOne" as const), id }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("setActive" as const), isActive: fc.boolean() }) },
  {
    weight: 1,
    // Before or after the age of the old documents, and never within a day of it.
    arbitrary: fc.record({ type: fc.constant("configure" as const), days: fc.integer({ min: 1, max: 9 }) })
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("limit" as const), documents: fc.constantFrom(4, DOCUMENTS) })
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("passBy" as const), isAccount: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("refresh" as const), dropOld: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant("search" as const), id }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("read" as const), id }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("list" as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("usage" as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("status" as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("ask" as const), id }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("askLater" as const), id, cancels: fc.boolean() }) }
)

const operation = fc.record({ node: fc.nat(NODES - 1), act: anyOf })
export type Operation = typeof operation extends fc.Arbitrary<infer A> ? A : never

const phase = fc.record({
  clients: fc.array(fc.array(operation, { minLength: 4, maxLength: 25 }), { minLength: 2, maxLength: 4 }),
  /** The number of operations after which a server is killed. */
  crash: fc.option(
    fc.record({
      node: fc.nat(NODES - 1),
      after: fc.nat(20),
      how: fc.constantFrom("SIGKILL" as const, "SIGTERM" as const)
    }),
    { freq: 4 }
  ),
  /**
   * Between the operations of clients: deletes the connector's documents while a server may be killed, or moves the
   * whole store by an export and an import.
   */
  ending: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.constantFrom("empties" as const, "empties and is killed" as const) },
    { weight: 1, arbitrary: fc.constant("moves" as const) }
  )
})
export type Phase = typeof phase extends fc.Arbitrary<infer A> ? A : never

export const phases = fc.array(phase, { minLength: 1, maxLength: 3 })
