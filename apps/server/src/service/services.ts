/** The whole service over the configured storage. */
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as ModelAnswerer from "@tributary/answers/model/ModelAnswerer"
import * as OpenAiLanguageModel from "@tributary/answers/model/OpenAiLanguageModel"
import * as HttpReranker from "@tributary/answers/rerank/HttpReranker"
import { SegmentBudget } from "@tributary/core/ports/SegmentCache"
import * as Tributary from "@tributary/core/Tributary"
import * as OpenAiEmbeddings from "@tributary/embeddings/OpenAiEmbeddings"
import * as Extract from "@tributary/extract/Extract"
import * as Layer from "effect/Layer"
import * as OpenIdConnect from "./OpenIdConnect.ts"
import { join } from "node:path"
import * as IndexThreads from "@tributary/node/IndexThreads"
import type { Settings } from "../settings/Settings.ts"
import * as Providers from "./Providers.ts"
import * as EncryptionKeys from "../storage/EncryptionKeys.ts"
import * as WebhookSender from "@tributary/sources/WebhookSender"
import * as SegmentFiles from "@tributary/node/SegmentFiles"
import * as Storage from "../storage/Storage.ts"

const segmentFiles = ({ storage }: Settings) =>
  storage.kind === "memory" ? Layer.empty : SegmentFiles.layer(join(storage.directory, "segments"))

const embeddings = ({ embeddings }: Settings) => embeddings === null ? Layer.empty : OpenAiEmbeddings.layer(embeddings)

const reranker = ({ reranker }: Settings) => reranker === null ? Layer.empty : HttpReranker.layer(reranker)

const answers = ({ answers }: Settings) =>
  answers === null
    ? ExtractiveAnswerer.layer
    : ModelAnswerer.layer(answers).pipe(Layer.provide(OpenAiLanguageModel.layer(answers)))

export const services = (settings: Settings) =>
  Tributary.layer.pipe(
    Layer.provide(IndexThreads.layer),
    Layer.provide(EncryptionKeys.layer(settings)),
    Layer.provideMerge(Storage.layer(settings.storage)),
    Layer.provide(Extract.layer),
    Layer.provide(answers(settings)),
    Layer.provide(Providers.layer(settings)),
    Layer.provide(WebhookSender.layer({ allowPrivateAddresses: settings.allowPrivateAddresses })),
    Layer.provide(OpenIdConnect.layer(settings)),
    Layer.provide(segmentFiles(settings)),
    Layer.provide(embeddings(settings)),
    Layer.provide(reranker(settings)),
    Layer.provide(Layer.succeed(Tributary.QuestionLog, settings.questionLog)),
    Layer.provide(Layer.succeed(SegmentBudget, settings.memoryMegabytes * 1_000_000))
  )
