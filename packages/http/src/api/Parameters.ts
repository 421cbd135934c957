/** Query parameters: text for a number, a boolean or a choice. Unknown parameters are ignored. */
import { CursorText } from "@tributary/core/model/Cursor"
import { violatedBy, type Violation } from "@tributary/core/model/Violation"
import { Schema, SchemaTransformation } from "effect"

const UNPARSABLE_INTEGER: Violation = {
  type: "int_parsing",
  message: "Input should be a valid integer, unable to parse string as an integer"
}

const UNPARSABLE_BOOLEAN: Violation = {
  type: "bool_parsing",
  message: "Input should be a valid boolean, unable to interpret input"
}

/** An integer from `minimum` to `maximum`, in decimal digits. */
export const integer = (minimum: number, maximum: number) =>
  Schema.String.annotate({ wireType: { type: "integer", minimum, maximum } }).check(violatedBy((text) => {
    if (!/^-?[0-9]+$/.test(text)) return UNPARSABLE_INTEGER
    if (Number(text) < minimum) {
      return {
        type: "greater_than_equal",
        message: `Input should be greater than or equal to ${minimum}`,
        context: { ge: minimum }
      }
    }
    if (Number(text) > maximum) {
      return {
        type: "less_than_equal",
        message: `Input should be less than or equal to ${maximum}`,
        context: { le: maximum }
      }
    }
    return undefined
  })).pipe(Schema.decodeTo(Schema.Int, SchemaTransformation.transform({ decode: Number, encode: String })))

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([["true", true], ["1", true], ["false", false], ["0", false]])

/** `true`, `false`, `1` or `0`. */
export const boolean = Schema.String.annotate({ wireType: { type: "boolean" } }).check(
  violatedBy((text) => BOOLEANS.has(text) ? undefined : UNPARSABLE_BOOLEAN)
).pipe(
  Schema.decodeTo(
    Schema.Boolean,
    SchemaTransformation.transform({ decode: (text) => BOOLEANS.get(text) === true, encode: String })
  )
)

/** The parameters of every paged list. */
export const paging = {
  /**
   * The maximum number of entries per page.
   * @default 20
   */
  limit: Schema.optionalKey(integer(1, 100)),
  /** The `next_cursor` of the previous page. Absent: the first page. */
  cursor: Schema.optionalKey(CursorText)
}

/** The same for lists with small rows. */
export const longPaging = {
  ...paging,
  /**
   * The maximum number of entries per page.
   * @default 20
   */
  limit: Schema.optionalKey(integer(1, 200))
}
