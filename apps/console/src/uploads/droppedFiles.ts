/** Dropped files: a folder arrives as a file that cannot be read, so folders are detected first. */
export const droppedFiles = ({ items }: DataTransfer) => {
  const files: Array<File> = []
  let folders = 0
  for (const item of items) {
    const file = item.getAsFile()
    if (item.webkitGetAsEntry()?.isDirectory === true) folders++
    else if (file !== null) files.push(file)
  }
  return { files, folders }
}
