/** A key, and the key that made it: that is found in the calling thread, because those of the database load no Effect. */
import { keyOf } from "@tributary/core/model/ApiKey"
import type { ApiKeyId } from "@tributary/core/model/Id"
import type { HashedKey } from "@tributary/core/ports/ApiKeyStore"

export interface MadeKey extends HashedKey {
  readonly maker: ApiKeyId | null
}

export const madeKey = (stored: HashedKey): MadeKey => ({ ...stored, maker: keyOf(stored.key.created_by) })
