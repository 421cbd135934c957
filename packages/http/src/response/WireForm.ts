/**
 * The form in which answers go over the wire: what their schema names and nothing else, moments as text. Where the
 * platform would take steps for every field of such an answer, it is walked: handlers are typed by the same schema, so
 * that nothing has to be judged again.
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

/** Whether JSON writes it as the wire has it, with nothing to be left out. */
const isPlain = (ast: SchemaAST.AST): boolean => {
  const parts = partsOf(ast)
  return ast.encoding === undefined && !hasNamedFields(ast) && (LEAVES.has(ast._tag) || parts.length > 0) &&
    parts.every(isPlain)
}

/** Whether something in it has another form on the wire. */
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

/** As the platform does it. */
const encoded = (ast: SchemaAST.AST): Form => {
  // Encoding is decoding the flipped schema. Where no code may be made at run time, it is interpreted.
  SchemaJITCompiler.enable(SchemaAST.flip(ast))
  // Schemas of the wire need no services, which their general type does not say.
  return SchemaParser.encodeUnknownSync(Schema.make<Schema.Codec<unknown>>(ast))
}

const formOf = (ast: SchemaAST.AST): Form => {
  // What is walked has the type of its schema.
  if (ast.encoding === undefined && isTranslated(ast)) {
    if (ast._tag === "Objects" && ast.indexSignatures.length === 0) return ofFields(ast) as Form
    if (ast._tag === "Arrays" && ast.elements.length === 0 && ast.rest.length === 1) {
      return ofItems(ast.rest[0]!) as Form
    }
  }
  return encoded(ast)
}

export const wireFormOf = ({ ast }: Schema.Top): Form => formOf(ast)
