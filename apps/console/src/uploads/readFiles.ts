/** The files that are dropped, chosen or pasted, also those of folders. */
import type { DropEvent } from "react-dropzone"

/** What systems put into folders by themselves. */
const IGNORED: ReadonlySet<string> = new Set([".DS_Store", "Thumbs.db"])

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

/** Named by its path, so that files of the same name stay apart. */
const fileOf = async (entry: FileSystemFileEntry): Promise<File> => {
  const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
  const { lastModified, type } = file
  return new File([file], entry.fullPath.slice(1), { type, lastModified })
}

/** A reader gives a part of its entries each time, and none at the end. */
const entriesOf = async (folder: FileSystemDirectoryEntry): Promise<ReadonlyArray<FileSystemEntry>> => {
  const reader = folder.createReader()
  const entries: Array<FileSystemEntry> = []
  for (;;) {
    const some = await new Promise<ReadonlyArray<FileSystemEntry>>((resolve, reject) =>
      reader.readEntries(resolve, reject)
    )
    if (some.length === 0) return entries
    entries.push(...some)
  }
}

const filesIn = async (folder: FileSystemDirectoryEntry): Promise<ReadonlyArray<File>> => {
  const files = await Promise.all(
    (await entriesOf(folder)).map(async (entry) =>
      isFolder(entry) ? await filesIn(entry) : isFile(entry) && !IGNORED.has(entry.name) ? [await fileOf(entry)] : []
    )
  )
  return files.flat()
}

/**
 * Files are only read, so the browser is not asked for handles of them: Chromium refuses those of a home folder and of
 * others until a dialog is answered.
 */
const droppedFiles = async (data: DataTransfer): Promise<Array<File>> => {
  const items = Array.from(data.items).filter(({ kind }) => kind === "file")
  // All at once: the data are gone after the event.
  const dropped = items.map((item) => [item.webkitGetAsEntry(), item.getAsFile()] as const)
  const files = await Promise.all(
    dropped.map(async ([entry, file]) =>
      entry !== null && isFolder(entry) ? await filesIn(entry) : file === null ? [] : [file]
    )
  )
  return files.flat()
}

/** Null for files that are only dragged over the page, and out of its reach. */
export const readFiles = async (
  event: DropEvent | Array<FileSystemFileHandle>
): Promise<ReadonlyArray<File> | null> => {
  if ("dataTransfer" in event) {
    return event.dataTransfer === null || event.type !== "drop" ? null : await droppedFiles(event.dataTransfer)
  }
  if ("clipboardData" in event && event.clipboardData !== null) return Array.from(event.clipboardData.files)
  return "target" in event && event.target instanceof HTMLInputElement ? Array.from(event.target.files ?? []) : []
}
