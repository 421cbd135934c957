// Writes docs/reference from the sources: `npm run reference`. With --check, only checks whether it is up to date.
//
// The types of the client's calls are inferred by the compiler; the services of core declare theirs.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { API, type Checker, SignatureKind, SymbolFlags, type Type } from "typescript/unstable/sync"

const root = resolve(import.meta.dirname, "..")
const read = (path: string): string => readFileSync(join(root, path), "utf8")

const NO_TRUNCATION = 1
/** Longer types are shown by name. */
const WORTH_A_NAME = 60

const HEAD = "<!-- Made by `npm run reference` from the comments of the sources. -->\n"

/** A comment's text as one paragraph. */
const paragraph = (text: string): string => text.split("\n").map((line) => line.trim()).join(" ").trim()

interface Call {
  readonly name: string
  readonly type: string
  readonly comment: string
}

const callsOf = (checker: Checker, type: Type, prefix: string): ReadonlyArray<Call> =>
  checker.getPropertiesOfType(type).flatMap((property): ReadonlyArray<Call> => {
    const of = checker.getTypeOfSymbol(property)!
    const name = `${prefix}${property.name}`
    if (checker.getSignaturesOfType(of, SignatureKind.Call).length === 0) return callsOf(checker, of, `${name}.`)
    const comment = paragraph(checker.getDocumentationCommentOfSymbol(property))
    return [{ name, comment, type: checker.typeToString(of, undefined, NO_TRUNCATION) }]
  })

/** Every call of an exported type of the client, in the names of the models that the client exports. */
const clientCalls = (
  checkerOf: (file: string) => readonly [Checker, ReadonlyMap<string, Type>],
  file: string,
  name: string
) => {
  const [checker, own] = checkerOf(file)
  const [, models] = checkerOf("packages/client/src/models.ts")
  const names = [...models]
    .map(([model, type]) => [model, checker.typeToString(type, undefined, NO_TRUNCATION)] as const)
    .filter(([model, text]) => text.length > WORTH_A_NAME && text !== model)
    .sort(([, one], [, other]) => other.length - one.length)
  return callsOf(checker, own.get(name)!, "").map((call) => ({
    ...call,
    type: names.reduce((type, [model, text]) => type.replaceAll(text, model), call.type)
      .replaceAll(" | undefined) =>", ") =>")
      .replace(/ & Brand<"\w+">/g, "")
  }))
}

/** Editors show the comment of a call, so every call has one. */
const checkComments = (calls: ReadonlyArray<Call>): ReadonlyArray<Call> => {
  const bare = calls.filter(({ comment }) => comment === "").map(({ name }) => name)
  if (bare.length > 0) throw new Error(`calls without a comment: ${bare.join(", ")}`)
  return calls
}

const clientPage = (title: string, about: string, calls: ReadonlyArray<Call>): string =>
  `${HEAD}# ${title}\n\n${about}\n` +
  checkComments(calls).map(({ comment, name, type }) => `\n## \`${name}\`\n\n\`\`\`\n${type}\n\`\`\`\n\n${comment}\n`)
    .join("")

const SERVICE =
  /\/\*\*((?:(?!\*\/)[^])*)\*\/\n(?:import|export)[^]*?export class (\w+)\s+extends Context\.Service<\s*\2,\s*(\{\n[^]*?\n {0,2}\})\s*>\(\)/

/** The services of core with an entry point, each with its methods as in the source. */
const servicesPage = (): string => {
  const { exports } = JSON.parse(read("packages/core/package.json")) as { exports: Record<string, string> }
  const services = Object.entries(exports).filter(([path]) => !path.includes("*")).sort(([one], [other]) =>
    one < other ? -1 : 1
  )
    .flatMap(([path, file]) => {
      const [, comment, name, methods] = SERVICE.exec(read(join("packages/core", file))) ?? []
      return name === undefined ? [] : [{ comment: comment!, name, methods: methods!, path: path.slice(2) }]
    })
  return `${HEAD}# Services\n\nThe services of \`@tributary/core\`, for hosts that use Effect. \`Tributary.layer\` of ` +
    `\`@tributary/core/Tributary\` provides all of them.\n` +
    services.map(({ comment, methods, name, path }) =>
      `\n## ${name}\n\n\`@tributary/core/${path}\`: ${
        paragraph(comment.replace(/^ ?\* ?/gm, ""))
      }\n\n\`\`\`\n${methods}\n\`\`\`\n`
    ).join("")
}

const api = new API({ cwd: root })
const project = api.updateSnapshot({ openProjects: [join(root, "packages/client/tsconfig.json")] }).getProjects()[0]!
const { checker, program } = project
const typesOf = (file: string) => {
  const module = checker.getSymbolAtLocation(program.getSourceFile(join(root, file))!)!
  const named = checker.getExportsOfModule(module).map((symbol) => {
    const target = (symbol.flags & SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol)
    return [symbol.name, checker.getDeclaredTypeOfSymbol(target)] as const
  })
  return [checker, new Map(named)] as const
}

const pages = {
  "client.md": clientPage(
    "Client",
    "What `createClient` of `@tributary/client` returns. [Client](../client.md) shows how it is used; a workspace of an [embedded](../embed.md) knowledge base has the same.",
    clientCalls(typesOf, "packages/client/src/promise.ts", "Client")
  ),
  "operator.md": clientPage(
    "Operator client",
    "What `createOperator` of `@tributary/client/operator` returns, for the operator of a server.",
    clientCalls(typesOf, "packages/client/src/operator.ts", "Operator")
  ),
  "services.md": servicesPage()
}
api.close()

const folder = join(root, "docs/reference")
mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries(pages)) {
  const path = join("docs/reference", name)
  if (!process.argv.includes("--check")) writeFileSync(join(folder, name), text)
  else if (read(path) !== text) {
    console.error(`${path} is not what the sources say: npm run reference`)
    process.exitCode = 1
  }
}
