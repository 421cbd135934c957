/** The validation error of a header that no schema of an endpoint describes. */
import { echo } from "@tributary/core/validation/Echo"
import { ValidationError } from "../api/ErrorBody.ts"

export const invalidHeader = (name: string, problem: string, sent: string) =>
  new ValidationError({
    detail: [{ type: "value_error", loc: ["header", name], msg: `Value error, ${problem}`, ...echo(sent) }]
  })
