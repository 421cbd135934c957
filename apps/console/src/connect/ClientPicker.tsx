import type { Client } from "./Client.ts"
import type { Group } from "./clients.ts"

interface Props {
  readonly groups: ReadonlyArray<Group>
  readonly chosen: Client
  readonly onChoose: (client: Client) => void
}

export const ClientPicker = ({ chosen, groups, onChoose }: Props) => (
  <div className="stack">
    {groups.map(([title, clients]) => (
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
