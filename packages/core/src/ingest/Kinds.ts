/** The kinds of documents of this service: the built-in ones, and those that the host adds. */
import { Context, Layer } from "effect"
import { BUILT_IN_KINDS, kindCatalogue, type KindDefinition } from "../model/KindCatalogue.ts"

export const Kinds = Context.Reference("@tributary/core/Kinds", { defaultValue: () => BUILT_IN_KINDS })

/** The built-in kinds and `definitions`. Throws a `TypeError` for an invalid definition. */
export const layer = (definitions: Readonly<Record<string, KindDefinition>>) =>
  Layer.succeed(Kinds, kindCatalogue(definitions))
