/**
 * Decodes what is valid, which nearly everything is. Effect's decoder takes several times as long as soon as one field
 * of an object has another wire form (a time), or unknown fields are refused.
 */
import { Result, Schema, SchemaAST, SchemaParser } from "effect"
import * as SchemaJITCompiler from "effect/schema/SchemaJITCompiler"
import { filtersOf, maximumLength, maximumProperties } from "./Bounds.ts"

/** What is not valid, for whatever reason. */
export const REFUSED = Symbol("refused")

/** The decoded value, which is the given one where nothing changes. */
type Decode = (value: unknown) => unknown

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const checked = (ast: SchemaAST.AST, decode: Decode, options: SchemaAST.ParseOptions): Decode => {
  const filters = filtersOf(ast.checks)
  if (filters.length === 0) return decode
  return (value) => {
    const decoded = decode(value)
    if (decoded === REFUSED) return REFUSED
    for (const filter of filters) if (filter.run(decoded, ast, options) !== undefined) return REFUSED
    return decoded
  }
}

/** By Effect. */
const other = (ast: SchemaAST.AST, options: SchemaAST.ParseOptions): Decode => {
  SchemaJITCompiler.enable(ast)
  // Wire schemas need no services, which their general type does not express.
  const decode = SchemaParser.decodeUnknownResult(Schema.make<Schema.Codec<unknown>>(ast), options)
  return (value) => {
    const result = decode(value)
    return Result.isSuccess(result) ? result.success : REFUSED
  }
}

const ofString: Decode = (value) => typeof value === "string" ? value : REFUSED

const ofList = (ast: SchemaAST.Arrays, element: Decode): Decode => {
  const maximum = maximumLength(ast)
  return (value) => {
    if (!Array.isArray(value) || value.length > maximum) return REFUSED
    const list: ReadonlyArray<unknown> = value
    let changed: Array<unknown> | undefined
    for (let index = 0; index < list.length; index++) {
      const decoded = element(list[index])
      if (decoded === REFUSED) return REFUSED
      if (decoded !== list[index]) (changed ??= [...list])[index] = decoded
    }
    return changed ?? list
  }
}

/** Of values that stay as given; any other map is refused here and decoded by Effect. */
const ofMap = (ast: SchemaAST.Objects, field: Decode): Decode => {
  const maximum = maximumProperties(ast)
  return (value) => {
    if (!isObject(value)) return REFUSED
    let count = 0
    for (const name in value) {
      if (++count > maximum || field(value[name]) !== value[name]) return REFUSED
    }
    return value
  }
}

const ofFields = (ast: SchemaAST.Objects, options: SchemaAST.ParseOptions): Decode => {
  const isStrict = options.onExcessProperty === "error"
  const fields = ast.propertySignatures.map(({ name, type }) => ({
    name: String(name),
    isOptional: SchemaAST.isOptional(type),
    decode: quickly(type, options)
  }))
  return (value) => {
    if (!isObject(value)) return REFUSED
    let unknown = Object.keys(value).length
    let changed: Record<string, unknown> | undefined
    for (const { decode, isOptional, name } of fields) {
      if (!Object.hasOwn(value, name)) {
        if (isOptional) continue
        return REFUSED
      }
      unknown--
      const decoded = decode(value[name])
      if (decoded === REFUSED) return REFUSED
      if (decoded !== value[name]) (changed ??= { ...value })[name] = decoded
    }
    if (unknown === 0) return changed ?? value
    if (isStrict) return REFUSED
    const known: Record<string, unknown> = {}
    for (const { name } of fields) if (Object.hasOwn(value, name)) known[name] = (changed ?? value)[name]
    return known
  }
}

const ofNullable = (decode: Decode): Decode => (value) => value === null ? null : decode(value)

const isPlainName = ({ name }: SchemaAST.PropertySignature): boolean => typeof name === "string" && name !== "__proto__"

/** Undefined for a form that is left to Effect. */
const decodeOf = (ast: SchemaAST.AST, options: SchemaAST.ParseOptions): Decode | undefined => {
  if (ast.encoding !== undefined || ("encodingChecks" in ast && ast.encodingChecks !== undefined)) return undefined
  if (ast.annotations?.["parseOptions"] !== undefined) return undefined
  switch (ast._tag) {
    case "String":
      return ofString
    case "Arrays": {
      const [element, ...more] = ast.rest
      return element === undefined || more.length > 0 || ast.elements.length > 0
        ? undefined
        : ofList(ast, quickly(element, options))
    }
    case "Objects": {
      const [signature, ...more] = ast.indexSignatures
      if (signature === undefined) return ast.propertySignatures.every(isPlainName) ? ofFields(ast, options) : undefined
      const { parameter, type } = signature
      const isMap = more.length === 0 && ast.propertySignatures.length === 0 &&
        parameter._tag === "String" && parameter.checks === undefined && parameter.encoding === undefined
      return isMap ? ofMap(ast, quickly(type, options)) : undefined
    }
    case "Union": {
      const [first, second, ...more] = ast.types
      return first === undefined || second?._tag !== "Null" || more.length > 0
        ? undefined
        : ofNullable(quickly(first, options))
    }
    default:
      return undefined
  }
}

const quickly = (ast: SchemaAST.AST, options: SchemaAST.ParseOptions): Decode => {
  const decode = decodeOf(ast, options)
  return decode === undefined ? other(ast, options) : checked(ast, decode, options)
}

/** The value of a valid input, otherwise `REFUSED`. Undefined for a schema that is left to Effect. */
export const quickDecoder = (ast: SchemaAST.AST, options: SchemaAST.ParseOptions): Decode | undefined =>
  decodeOf(ast, options) === undefined ? undefined : quickly(ast, options)
