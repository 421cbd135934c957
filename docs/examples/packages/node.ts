/** Parts to provide to the services: they replace the defaults, which index in the calling thread and cache nothing. */
import * as IndexThreads from "@tributary/node/IndexThreads"
import * as SegmentFiles from "@tributary/node/SegmentFiles"
import { Layer } from "effect"

export const parts = Layer.merge(IndexThreads.layer, SegmentFiles.layer("/var/cache/knowledge", 8e9))
