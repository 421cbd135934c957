/** Uploads a file with XMLHttpRequest, because fetch does not report upload progress. */
import { ApiError, errorOf } from "./ApiError.ts"
import { CONSOLE_HEADERS } from "./send.ts"
import { SERVER_PATH } from "./server.ts"
import { signedOut } from "./signedOut.ts"

const headersOf = (request: XMLHttpRequest): Headers => {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const at = line.indexOf(":")
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim())
  }
  return headers
}

const post = (
  path: string,
  body: FormData,
  headers: Readonly<Record<string, string>>,
  onSent: (bytes: number) => void,
  signal: AbortSignal | undefined
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open("POST", SERVER_PATH + path)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener("progress", ({ loaded }) => onSent(loaded))
    request.addEventListener("load", () =>
      resolve(new Response(request.responseText, { status: request.status, headers: headersOf(request) })))
    request.addEventListener("error", () =>
      reject(new ApiError({ code: "network_error", message: "No answer came.", status: null, requestId: null })))
    request.addEventListener("abort", () =>
      reject(new DOMException("It was stopped.", "AbortError")))
    const stop = () =>
      request.abort()
    signal?.addEventListener("abort", stop)
    // The signal is that of all files of a queue, and would keep each of them.
    request.addEventListener("loadend", () =>
      signal?.removeEventListener("abort", stop))
    request.send(body)
  })

/** A file of the same name replaces the document. */
export const uploadFile = async <A>(
  path: string,
  file: File,
  headers: Readonly<Record<string, string>>,
  onSent: (bytes: number) => void,
  signal?: AbortSignal
): Promise<A> => {
  const form = new FormData()
  form.append("file", file)
  form.append("external_id", file.name)
  form.append("timestamp", new Date(file.lastModified).toISOString())
  const response = await post(path, form, { ...CONSOLE_HEADERS, ...headers }, onSent, signal)
  if (response.ok) return await response.json() as A
  if (response.status === 401) signedOut()
  throw await errorOf(response)
}
