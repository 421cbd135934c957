// What the published packages are made of: a bill of materials as CycloneDX has it, with the hash and the licence of
// every dependency.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Package } from "./pack.ts"
import { pnpm } from "../pnpm.ts"

/** Permissive licences, and those that apply only to changes of the licensed files. */
const LICENCES = /\b(?:MIT|MIT-0|ISC|Apache-2\.0|BSD|BSD-2-Clause|BSD-3-Clause|MPL-2\.0)\b/

interface Component {
  readonly name: string
  readonly version?: string
  readonly group?: string
  readonly licenses?: ReadonlyArray<{
    readonly expression?: string
    readonly license?: { readonly id?: string; readonly name?: string }
  }>
  readonly externalReferences?: ReadonlyArray<{
    readonly type: string
    readonly hashes?: ReadonlyArray<{ readonly alg: string }>
  }>
}

const licenceOf = ({ licenses = [] }: Component): string =>
  licenses.map(({ expression, license }) => expression ?? license?.id ?? license?.name).join(" AND ")

const problemsOf = (component: Component): ReadonlyArray<string> => {
  const { externalReferences = [], group, name, version } = component
  const licence = licenceOf(component)
  const hasHash = externalReferences.some(({ hashes = [] }) => hashes.some(({ alg }) => alg === "SHA-512"))
  return [
    ...version === undefined ? [`${name}: no version`] : [],
    ...LICENCES.test(licence) ? [] : [`${name}: its licence is "${licence}"`],
    ...hasHash || group === "@tributary" ? [] : [`${name}: no SHA-512`]
  ]
}

/** Writes it into the folder and returns its path. Throws if a package has no hash or no accepted licence. */
export const writeSbom = (packages: ReadonlyArray<Package>, folder: string): string => {
  const file = join(folder, "tributary.cdx.json")
  const filters = packages.flatMap(({ manifest: { name } }) => ["--filter", name])
  pnpm([...filters, "sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--prod", "--out", file])
  const { components } = JSON.parse(readFileSync(file, "utf8")) as { readonly components: ReadonlyArray<Component> }
  const problems = components.flatMap(problemsOf)
  if (!components.some(({ name }) => name === "effect")) problems.push("the bill of materials names no effect")
  if (problems.length > 0) throw new Error(problems.join("\n"))
  console.error(`   bill of materials: ${components.length} components`)
  return file
}
