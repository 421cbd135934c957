/** An `Answerer` that asks a model, and answers without it while the model is unavailable. */
import * as ModelAnswerer from "@tributary/answers/model/ModelAnswerer"
import * as OpenAiLanguageModel from "@tributary/answers/model/OpenAiLanguageModel"
import { Layer } from "effect"

const model = "qwen2.5:7b"

export const answerer = ModelAnswerer.layer({ model }).pipe(
  Layer.provide(OpenAiLanguageModel.layer({ url: "http://127.0.0.1:11434/v1", model }))
)
