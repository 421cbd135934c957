/**
 * A new database that was laid out when the package was built: to lay one out takes seconds, to unpack one does not.
 *
 * It serves the release of PGlite that made it and no other. Where there is none for the release at hand, PGlite lays
 * the database out itself.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { brotliCompress, brotliDecompress, constants } from "node:zlib"
import { PGlite } from "@electric-sql/pglite"

/** The same folder of the package from its sources and from what is compiled of them. */
const folder = new URL("../../../prepared/", import.meta.url)

const installedRelease = (): string =>
  JSON.parse(readFileSync(new URL("../package.json", import.meta.resolve("@electric-sql/pglite")), "utf8")).version

const pathFor = (release: string): string => fileURLToPath(new URL(`pglite-${release}.tar.br`, folder))

/** The archive of a new data directory; `undefined` when none was prepared for this release. */
export const readPrepared = async (release = installedRelease()): Promise<Buffer<ArrayBuffer> | undefined> => {
  let packed: Buffer
  try {
    packed = await readFile(pathFor(release))
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined
    throw error
  }
  return promisify(brotliDecompress)(packed)
}

/** Of a tar archive: each part fills whole blocks of this size. */
const block = 512

/** Puts the files of an archive, as PGlite makes them, into an empty directory. PGlite itself takes far longer. */
export const unpack = (archive: Buffer, directory: string): void => {
  let at = 0
  const field = (from: number, to: number) => archive.toString("latin1", at + from, at + to).split("\0", 1)[0]!
  for (let name = field(0, 100); name !== ""; name = field(0, 100)) {
    const path = join(directory, name)
    const size = Number.parseInt(field(124, 136), 8)
    if (field(156, 157) === "5") mkdirSync(path, { recursive: true, mode: 0o700 })
    else writeFileSync(path, archive.subarray(at + block, at + block + size), { mode: 0o600 })
    at += block + Math.ceil(size / block) * block
  }
}

/** Lays out a database and packs it, in place of any that is there. */
export const prepare = async (): Promise<string> => {
  const database = await PGlite.create()
  // Two thirds of all files belong to the templates of further databases, and nothing can connect to one of those.
  await database.exec("UPDATE pg_database SET datistemplate = false")
  for (const template of ["template0", "template1"]) await database.query(`DROP DATABASE ${template}`)
  await database.exec("CHECKPOINT")
  const files = new Uint8Array(await (await database.dumpDataDir("none")).arrayBuffer())
  await database.close()
  const packed = await promisify(brotliCompress)(files, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: files.length
    }
  })
  const path = pathFor(installedRelease())
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.${process.pid}`, packed)
  renameSync(`${path}.${process.pid}`, path)
  return path
}
