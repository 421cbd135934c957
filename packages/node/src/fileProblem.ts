/** Why a file cannot be read or written, in words. */
import { errorCode, errorMessage } from "./errors.ts"

const PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: "this user may not use it",
  EDQUOT: "the disk quota is used up",
  EEXIST: "it exists already",
  EISDIR: "it is a folder",
  ENOENT: "it does not exist",
  ENOSPC: "the disk is full",
  ENOTDIR: "its folder does not exist",
  EPERM: "this user may not use it",
  EROFS: "its file system is read-only"
}

const NO_FOLDER = "it is not a folder"

const problemOf = (error: unknown, problems: Readonly<Record<string, string>>): string =>
  problems[String(errorCode(error))] ?? errorMessage(error)

export const readProblem = (error: unknown): string => problemOf(error, PROBLEMS)

/** A file that is written is a new one. */
export const writeProblem = (error: unknown): string =>
  problemOf(error, { ...PROBLEMS, ENOENT: "its folder does not exist" })

/** Why a folder cannot be the data directory. */
export const directoryProblem = (error: unknown): string => {
  const user = `${PROBLEMS["EACCES"]}. Run the command as the user of the server`
  return problemOf(error, { ...PROBLEMS, EACCES: user, EPERM: user, EEXIST: NO_FOLDER, ENOTDIR: NO_FOLDER })
}
