import { type KeyboardEvent, useEffect, useId, useState } from "react"
import { Modal } from "../ui/dialogs/Modal.tsx"
import { attempt } from "../ui/feedback/useWork.ts"
import { Icon } from "../ui/Icon.tsx"
import { amount } from "../ui/numbers.ts"
import type { Entry } from "./Entry.ts"
import { useEntries } from "./useEntries.ts"

export interface PaletteProps {
  readonly onClose: () => void
}

/** A combobox: the focus stays in the field while the arrow keys move through the options. */
export const Palette = ({ onClose }: PaletteProps) => {
  const id = useId()
  const [words, setWords] = useState("")
  const [current, setCurrent] = useState(0)
  const { groups, isSettled } = useEntries(words)
  const entries = groups.flatMap(({ entries }) => entries)
  const chosen = Math.min(current, entries.length - 1)
  const optionId = (index: number) => `${id}-${index}`
  useEffect(() => {
    document.getElementById(optionId(chosen))?.scrollIntoView({ block: "nearest" })
  }, [chosen])

  const open = (entry: Entry | undefined) => {
    if (entry === undefined) return
    onClose()
    void attempt(entry.go)
  }
  const move = (event: KeyboardEvent, to: number) => {
    event.preventDefault()
    setCurrent((to + entries.length) % Math.max(1, entries.length))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === "ArrowDown") move(event, chosen + 1)
    else if (event.key === "ArrowUp") move(event, chosen - 1)
    else if (event.key === "Enter") {
      event.preventDefault()
      open(entries[chosen])
    }
  }

  let index = -1
  return (
    <Modal
      className="palette"
      aria-label="Search pages, documents, sources and keys"
      dismissable
      onClose={onClose}
    >
      <div className="palette-field">
        <Icon name="search" />
        <input
          role="combobox"
          aria-label="Search"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={entries.length === 0 ? undefined : optionId(chosen)}
          aria-autocomplete="list"
          autoComplete="off"
          autoFocus
          spellCheck={false}
          maxLength={200}
          placeholder="Pages, documents, sources, keys…"
          value={words}
          onChange={({ target }) => {
            setWords(target.value)
            setCurrent(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={`${id}-list`} role="listbox" aria-label="Results" className="palette-list">
        {groups.map(({ entries, title }) => (
          <div key={title} role="group" aria-label={title}>
            <div className="palette-group" aria-hidden="true">{title}</div>
            {entries.map((entry) => {
              const own = ++index
              return (
                <div
                  key={entry.id}
                  id={optionId(own)}
                  role="option"
                  aria-selected={own === chosen}
                  className="palette-entry"
                  onMouseMove={() => own !== chosen && setCurrent(own)}
                  onClick={() => open(entry)}
                >
                  <Icon name={entry.icon} />
                  <bdi>{entry.name}</bdi>
                  {entry.about !== undefined && <bdi className="small soft">{entry.about}</bdi>}
                </div>
              )
            })}
          </div>
        ))}
      </div>
      <p role="status" className="hidden-text">{isSettled && amount(entries.length, "result")}</p>
      <p className="palette-help small soft" aria-hidden="true">
        <kbd>↑</kbd> <kbd>↓</kbd> to choose, <kbd>Enter</kbd> to open, <kbd>Esc</kbd> to close
      </p>
    </Modal>
  )
}
