/** An `Embedder` that uses a model on this machine. */
import * as OpenAiEmbeddings from "@tributary/embeddings/OpenAiEmbeddings"

export const embedder = OpenAiEmbeddings.layer({ url: "http://127.0.0.1:11434/v1", model: "nomic-embed-text" })
