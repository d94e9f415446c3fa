import { TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'

interface TypedInputProps {
  readonly label: string
  readonly description?: string | undefined
  readonly placeholder?: string | undefined
  readonly required?: boolean | undefined
  readonly error?: string | undefined
  /** As it is kept: `2026-11-14`. Empty if nothing is. */
  readonly value: string
  readonly onChange: (value: string) => void
  /** Returns the value as it is shown. */
  readonly format: (value: string) => string
  /** Returns what was typed as it is kept. Undefined if it cannot be read. */
  readonly read: (text: string) => string | undefined
  /** Says how to type it. */
  readonly hint: string
  /** Says why a value that can be read is not taken. */
  readonly refuse?: ((value: string) => string | undefined) | undefined
  readonly picker?: ReactNode
}

/**
 * Edits a value that is typed in one way and kept in another. What cannot be read stays as it was typed, says so, and keeps its form
 * from being sent; the value stays as it was.
 */
export function TypedInput(props: TypedInputProps) {
  const { label, description, placeholder, required, value, onChange, format, read, hint, refuse, picker } =
    props
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string>()
  const [is_left, setLeft] = useState(false)
  const problem = typed === undefined ? undefined : problemOf(typed, read, hint, refuse)
  useEffect(() => input.current?.setCustomValidity(problem ?? ''), [problem])
  // What was typed is over once the value comes from elsewhere: from the picker, or with another object.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the value tells.
  useEffect(() => {
    if (document.activeElement !== input.current) setTyped(undefined)
  }, [value])
  return (
    <TextInput
      ref={input}
      label={label}
      description={description}
      placeholder={placeholder}
      required={required ?? false}
      autoComplete="off"
      error={(is_left && problem) || props.error}
      value={typed ?? (value && format(value))}
      onChange={event => {
        const text = event.currentTarget.value
        setTyped(text)
        setLeft(false)
        if (!problemOf(text, read, hint, refuse)) onChange(read(text) ?? '')
      }}
      onBlur={() => {
        setLeft(true)
        if (!problem) setTyped(undefined)
      }}
      onInvalid={() => setLeft(true)}
      rightSection={picker}
    />
  )
}

function problemOf(
  text: string,
  read: TypedInputProps['read'],
  hint: string,
  refuse: TypedInputProps['refuse'],
): string | undefined {
  if (text.trim() === '') return undefined
  const value = read(text)
  return value === undefined ? hint : refuse?.(value)
}
