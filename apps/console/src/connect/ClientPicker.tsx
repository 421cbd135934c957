import type { Client } from "./Client.ts"
import { GROUPS } from "./clients.ts"

interface Props {
  readonly chosen: Client
  readonly onChoose: (client: Client) => void
}

export const ClientPicker = ({ chosen, onChoose }: Props) => (
  <div className="stack">
    {GROUPS.map(([title, clients]) => (
      <fieldset key={title}>
        <legend className="legend">{title}</legend>
        <div className="picker narrow choices">
          {clients.map((client) => (
            <label key={client.id} className="choice">
              <input type="radio" name="client" checked={client === chosen} onChange={() => onChoose(client)} />
              <b>{client.name}</b>
            </label>
          ))}
        </div>
      </fieldset>
    ))}
  </div>
)
