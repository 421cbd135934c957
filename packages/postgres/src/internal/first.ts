import { Option } from "effect"

/** The answer of a statement with at most one row. */
export const first = <Row, A>(to: (row: Row) => A) => ([row]: ReadonlyArray<Row>): Option.Option<A> =>
  Option.map(Option.fromUndefinedOr(row), to)
