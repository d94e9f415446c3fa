import { ApiError } from '@gatehouse-access/sdk'
import { type FormEvent, useRef, useState } from 'react'
import { t } from '../language/t.ts'
import { capital } from '../parts/capital.ts'
import { showFailure } from '../parts/failure.tsx'
import { plainWords } from '../parts/plain-words.ts'

export interface Draft<V extends object> {
  /** The values of the object before any edit. */
  readonly base: V
  readonly values: V
  readonly is_dirty: boolean
  readonly is_saving: boolean
  set<K extends keyof V>(name: K, value: V[K]): void
  /** Returns the service's error for a field, by its path: `permissions.0.gadget_id`. */
  errorOf(path: string): string | undefined
  submit(event?: FormEvent): Promise<void>
  reset(values?: V): void
}

/**
 * Holds the state of a form: the values, whether they are being saved, and the error that the service
 * returned. `begun` restores values entered earlier.
 */
export function useDraft<V extends object>(
  initial: V,
  save: (values: V) => Promise<unknown>,
  failed = t('Could not save'),
  begun = initial,
): Draft<V> {
  const [base, setBase] = useState(initial)
  const [values, setValues] = useState(begun)
  const [is_saving, setSaving] = useState(false)
  const [refusal, setRefusal] = useState<ApiError>()
  // The notice takes room from the form, so it is hidden as soon as the user corrects the input.
  const hideFailure = useRef(() => {})
  return {
    base,
    values,
    is_saving,
    is_dirty: values !== base && JSON.stringify(values) !== JSON.stringify(base),
    set(name, value) {
      setValues(held => ({ ...held, [name]: value }))
      setRefusal(undefined)
      hideFailure.current()
    },
    errorOf: path => (refusal?.args.field === path ? aboutField(refusal.message, path) : undefined),
    async submit(event) {
      event?.preventDefault()
      hideFailure.current()
      setSaving(true)
      try {
        await save(values)
        setBase(values)
        setRefusal(undefined)
      } catch (error) {
        if (error instanceof ApiError) setRefusal(error)
        hideFailure.current = showFailure(error, failed)
      } finally {
        setSaving(false)
      }
    },
    reset(given = initial) {
      setBase(given)
      setValues(given)
      setRefusal(undefined)
    },
  }
}

/** Drops the field's API name from the message, because the message is shown at the field. */
function aboutField(message: string, path: string): string {
  const rest = message.startsWith(`${path} `) ? message.slice(path.length + 1) : message
  return capital(plainWords(rest))
}
