/**
 * Uploads files to a connector, two at a time. The queue outlives its page, so that uploads continue during navigation.
 * A failed file reports why and does not block the others.
 */
import { ApiError, isPassing } from "../api/ApiError.ts"
import { queries } from "../api/queries.ts"
import { workspaceClient } from "../api/workspaceClient.ts"
import { errorMessage } from "../ui/feedback/errorMessage.ts"
import { bytes } from "../ui/numbers.ts"

export type UploadState = "waiting" | "sending" | "stored" | "blank" | "refused" | "failed" | "stopped"

export interface Upload {
  readonly id: number
  readonly name: string
  readonly size: number
  /** Bytes sent so far; all of them while the service extracts the text. */
  readonly sent: number
  readonly state: UploadState
  readonly reason: string | null
  /** Whether a retry can succeed. */
  readonly retryable: boolean
}

const AT_ONCE = 2

/** Largest file: the limit of a request less the multipart form. */
export const LARGEST = 32 * 1_024 * 1_024 - 16_384

const ROOM = {
  doc_size: "It is larger than the plan allows a document to be.",
  documents: "The plan's cap on documents is reached.",
  storage: "The plan has no storage left for it."
} as const

const reasonOf = (error: unknown): string => {
  if (!(error instanceof ApiError)) return errorMessage(error)
  const [rejected] = error.rejected
  if (rejected !== undefined) return ROOM[rejected.resource]
  const request = error.requestId === null ? "" : ` (request ${error.requestId})`
  return `${errorMessage(error)}${request}`
}

/** Bytes of a file that is read again, to say that it holds white space alone. */
const SMALL = 4_096

/** The service refuses files of other formats that hold no text. */
const isBlank = async (file: File): Promise<boolean> => file.size <= SMALL && (await file.text()).trim() === ""

/** What the service finds wrong with the file itself. */
const OF_THE_FILE: ReadonlySet<string> = new Set(["bad_request", "payload_too_large", "validation_error"])

const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiError) || !OF_THE_FILE.has(error.code) && error.rejected[0]?.resource !== "doc_size"

export class UploadQueue {
  readonly #workspaceId: string
  readonly #connectorId: string
  readonly #files = new Map<number, File>()
  readonly #listeners = new Set<() => void>()
  #uploads: ReadonlyArray<Upload> = []
  #running = 0
  #count = 0
  #stopping = new AbortController()

  constructor(workspaceId: string, connectorId: string) {
    this.#workspaceId = workspaceId
    this.#connectorId = connectorId
  }

  readonly subscribe = (listener: () => void): () => void => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly snapshot = (): ReadonlyArray<Upload> => this.#uploads

  readonly add = (files: Iterable<File>): void => {
    const added = Array.from(files, (file): Upload => {
      const id = ++this.#count
      const tooLarge = file.size > LARGEST
      if (!tooLarge) this.#files.set(id, file)
      return {
        id,
        name: file.name,
        size: file.size,
        sent: 0,
        state: tooLarge ? "refused" : "waiting",
        reason: tooLarge ? `It is larger than ${bytes(LARGEST)}, and was not sent.` : null,
        retryable: false
      }
    })
    this.#set([...this.#uploads, ...added])
    this.#start()
  }

  readonly retry = (ids: ReadonlySet<number>): void => {
    this.#set(
      this.#uploads.map((upload) =>
        ids.has(upload.id) && upload.retryable ? { ...upload, state: "waiting", sent: 0, reason: null } : upload
      )
    )
    this.#start()
  }

  /** Cancels waiting and running uploads. */
  readonly stop = (): void => {
    this.#set(
      this.#uploads.map((upload) =>
        upload.state === "waiting" ? { ...upload, state: "stopped", retryable: true } : upload
      )
    )
    this.#stopping.abort()
    this.#stopping = new AbortController()
  }

  readonly clear = (): void => {
    const left = this.#uploads.filter(({ state }) => state === "waiting" || state === "sending")
    for (const { id } of this.#uploads) {
      if (!left.some((upload) => upload.id === id)) this.#files.delete(id)
    }
    this.#set(left)
  }

  #set(uploads: ReadonlyArray<Upload>): void {
    this.#uploads = uploads
    for (const listener of this.#listeners) listener()
  }

  #change(id: number, change: Partial<Upload>): void {
    this.#set(this.#uploads.map((upload) => upload.id === id ? { ...upload, ...change } : upload))
  }

  #start(): void {
    while (this.#running < AT_ONCE && this.#uploads.some(({ state }) => state === "waiting")) void this.#work()
  }

  async #work(): Promise<void> {
    this.#running++
    for (;;) {
      const next = this.#uploads.find(({ state }) => state === "waiting")
      if (next === undefined) break
      await this.#send(next)
    }
    this.#running--
    void queries.invalidateQueries({ queryKey: [this.#workspaceId] })
  }

  async #send({ id, size }: Upload): Promise<void> {
    const file = this.#files.get(id)
    if (file === undefined) return
    const { signal } = this.#stopping
    this.#change(id, { state: "sending" })
    try {
      const blank = await isBlank(file)
      // Includes the multipart form.
      const onSent = (sent: number) => this.#change(id, { sent: Math.min(size, sent) })
      await workspaceClient(this.#workspaceId).connectors.upload(this.#connectorId, file, onSent, { signal })
      this.#files.delete(id)
      this.#change(
        id,
        blank ? { state: "blank", reason: "It holds no text, so only its name is found." } : { state: "stored" }
      )
    } catch (error) {
      const retryable = signal.aborted || mayPass(error)
      if (!retryable) this.#files.delete(id)
      this.#change(
        id,
        signal.aborted
          ? { state: "stopped", sent: 0, retryable }
          : { state: isPassing(error) ? "failed" : "refused", sent: 0, reason: reasonOf(error), retryable }
      )
    }
  }
}

const queues = new Map<string, UploadQueue>()

export const uploadQueue = (workspaceId: string, connectorId: string): UploadQueue => {
  const key = `${workspaceId}/${connectorId}`
  const queue = queues.get(key) ?? new UploadQueue(workspaceId, connectorId)
  queues.set(key, queue)
  return queue
}

const isUnderWay = ({ state }: Upload): boolean => state === "waiting" || state === "sending"

export const isUploading = (): boolean => [...queues.values()].some((queue) => queue.snapshot().some(isUnderWay))
