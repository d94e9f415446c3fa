import { Button, Group } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { IconBackspace } from '../../icons/icons.ts'
import { t } from '../../language/t.ts'
import type { Simulate } from './simulate.ts'

const keys = [...'123456789*0#']

/**
 * Collects keys and sends them together. `#` ends a PIN, so it sends them. The physical keyboard works too.
 */
export function Keypad({ act }: { act: Simulate }) {
  const [typed, setTyped] = useState('')
  const send = (text: string) => {
    setTyped('')
    if (text) void act(t(`Typed ${text}`), { keys: text })
  }
  const press = (key: string) =>
    key === '#' ? send(`${typed}#`) : setTyped(held => (held + key).slice(0, 32))
  const onKeyDown = (event: KeyboardEvent) => {
    if (keys.includes(event.key)) press(event.key)
    else if (event.key === 'Backspace') setTyped(held => held.slice(0, -1))
    else return
    event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: digits of the keyboard, beside the buttons that do the same
    <div className="developers-keypad" onKeyDown={onKeyDown}>
      <output className="developers-display" aria-label="Keys typed">
        {typed || '\u00a0'}
      </output>
      <div className="developers-keys">
        {keys.map(key => (
          <button key={key} type="button" onClick={() => press(key)}>
            {key}
          </button>
        ))}
      </div>
      <Group gap="xs" mt="xs" grow>
        <Button
          variant="default"
          aria-label="Delete the last key"
          disabled={typed === ''}
          onClick={() => setTyped(held => held.slice(0, -1))}
        >
          <IconBackspace size={16} />
        </Button>
        <Button variant="default" disabled={typed === ''} onClick={() => send(typed)}>
          Send
        </Button>
      </Group>
    </div>
  )
}
