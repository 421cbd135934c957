/** The kinds of documents that this service knows: the built-in ones unless the host adds its own. */
import { Context, Layer } from "effect"
import { BUILT_IN_KINDS, kindCatalogue, type KindDefinition } from "../model/KindCatalogue.ts"

export const Kinds = Context.Reference("@tributary/core/Kinds", { defaultValue: () => BUILT_IN_KINDS })

/** The built-in kinds and `definitions`. Throws a `TypeError` when a definition cannot be used. */
export const layer = (definitions: Readonly<Record<string, KindDefinition>>) =>
  Layer.succeed(Kinds, kindCatalogue(definitions))
