import { useState } from "react"
import type { IssuedKey, Key } from "../api/consoleApi.ts"
import { NewKey } from "../keys/NewKey.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/dialogs/Dialog.tsx"
import { SelectField } from "../ui/forms/SelectField.tsx"
import type { Client } from "./Client.ts"

interface Props {
  readonly client: Client
  readonly keys: ReadonlyArray<Key>
  readonly chosen: string | undefined
  readonly onChoose: (keyId: string) => void
  readonly onMade: (key: IssuedKey) => void
}

/** A key of its own for each, so that one can be revoked without the others. */
export const KeyChoice = ({ chosen = "", client, keys, onChoose, onMade }: Props) => {
  const [creating, setCreating] = useState(false)
  return (
    <div className="search-row">
      <Button kind={chosen === "" ? "primary" : undefined} onClick={() => setCreating(true)}>
        Create a key for {client.name}
      </Button>
      {keys.length > 0 && (
        <SelectField
          label="Or one that is there already"
          hideLabel
          value={chosen}
          onChange={onChoose}
          options={[
            ["", "Or choose one that you have…"],
            ...keys.map(({ hint, key_id, name }) => [key_id, `${name} …${hint}`] as const)
          ]}
        />
      )}
      {creating && (
        <Dialog title={`A key for ${client.name}`} onClose={() => setCreating(false)}>
          <NewKey
            name={client.name}
            scopes={client.scopes}
            onMade={(key) => {
              setCreating(false)
              onMade(key)
            }}
          />
        </Dialog>
      )}
    </div>
  )
}
