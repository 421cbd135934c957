/**
 * The wire format of responses: only the fields of their schema, times as text. A simple walk replaces the platform's
 * encoder where possible, since handlers have the type of the schema and nothing needs to be checked.
 */
import { Schema, SchemaAST, SchemaParser } from "effect"
import * as SchemaJITCompiler from "effect/schema/SchemaJITCompiler"

type Form<In = unknown> = (value: In) => unknown

type Fields = Readonly<Record<string, unknown>>

const partsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  switch (ast._tag) {
    case "Union":
      return ast.types
    case "Arrays":
      return [...ast.elements, ...ast.rest]
    case "Objects":
      return [...ast.propertySignatures, ...ast.indexSignatures].map(({ type }) => type)
    default:
      return []
  }
}

const LEAVES = new Set<SchemaAST.AST["_tag"]>(["String", "Number", "Boolean", "Null", "Literal"])

const hasNamedFields = (ast: SchemaAST.AST): boolean => ast._tag === "Objects" && ast.propertySignatures.length > 0

/** Whether the JSON of a value equals its wire form. */
const isPlain = (ast: SchemaAST.AST): boolean => {
  const parts = partsOf(ast)
  return ast.encoding === undefined && !hasNamedFields(ast) && (LEAVES.has(ast._tag) || parts.length > 0) &&
    parts.every(isPlain)
}

/** Whether part of it has another wire form. */
const isTranslated = (ast: SchemaAST.AST): boolean => ast.encoding !== undefined || partsOf(ast).some(isTranslated)

const ofFields = ({ propertySignatures }: SchemaAST.Objects): Form<Fields> => {
  const fields = propertySignatures.map(({ name, type }) => ({
    name: String(name),
    isOptional: SchemaAST.isOptional(type),
    form: isPlain(type) ? null : formOf(type)
  }))
  return (value) => {
    const shaped: Record<string, unknown> = {}
    for (const { form, isOptional, name } of fields) {
      if (isOptional && !(name in value)) continue
      const field = value[name]
      shaped[name] = form === null ? field : form(field)
    }
    return shaped
  }
}

const ofItems = (item: SchemaAST.AST): Form<ReadonlyArray<unknown>> => {
  const form = formOf(item)
  return (values) => values.map(form)
}

/** The platform's encoder. */
const encoded = (ast: SchemaAST.AST): Form => {
  // Encoding is decoding the flipped schema. Where code generation is forbidden, it is interpreted.
  SchemaJITCompiler.enable(SchemaAST.flip(ast))
  // Wire schemas need no services, which their general type does not express.
  return SchemaParser.encodeUnknownSync(Schema.make<Schema.Codec<unknown>>(ast))
}

const formOf = (ast: SchemaAST.AST): Form => {
  // The walked value has the type of its schema.
  if (ast.encoding === undefined && isTranslated(ast)) {
    if (ast._tag === "Objects" && ast.indexSignatures.length === 0) return ofFields(ast) as Form
    if (ast._tag === "Arrays" && ast.elements.length === 0 && ast.rest.length === 1) {
      return ofItems(ast.rest[0]!) as Form
    }
  }
  return encoded(ast)
}

export const wireFormOf = ({ ast }: Schema.Top): Form => formOf(ast)
