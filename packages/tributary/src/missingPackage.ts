/** Packages that are only needed by those who use a part. */
import { OpenError } from "./OpenError.ts"

/** The error of an import, in a sentence if the package is not installed. */
export const namingPackage = (what: string, name: string, error: unknown): unknown =>
  error instanceof Error && error.message.includes(`Cannot find package '${name}'`)
    ? new OpenError(`${what} needs a package that is not installed: npm install ${name}`, error)
    : error
