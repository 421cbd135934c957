/** Why a file or folder cannot be read or written, in words. */
import { errorCode, errorMessage } from "./errors.ts"

type Problems = Readonly<Record<string, string>>

const DISK: Problems = {
  EDQUOT: "the disk quota is used up",
  ENOSPC: "the disk is full",
  EROFS: "its file system is read-only"
}

const forbidden = (sentence: string): Problems => ({ EACCES: sentence, EPERM: sentence })

const FILE: Problems = {
  ...DISK,
  ...forbidden("this user may not use it"),
  EEXIST: "it exists already",
  EISDIR: "it is a folder",
  ENOENT: "it does not exist",
  ENOTDIR: "its folder does not exist"
}

/** A file that is written is a new one. */
const NEW_FILE: Problems = { ...FILE, ENOENT: "its folder does not exist" }

const DIRECTORY: Problems = {
  ...DISK,
  ...forbidden("this user may not use it. Run the command as the user of the server"),
  EEXIST: "it is not a folder",
  ENOTDIR: "it is not a folder"
}

const problemOf = (problems: Problems) => (error: unknown): string =>
  problems[String(errorCode(error))] ?? errorMessage(error)

export const readProblem = problemOf(FILE)
export const writeProblem = problemOf(NEW_FILE)
/** Of the data directory. */
export const directoryProblem = problemOf(DIRECTORY)
