import { Confirm } from './confirm.tsx'
import { Name } from './name.tsx'

interface ConfirmLossesProps {
  readonly name: string
  /** What would be lost, in sentences. */
  readonly lost: readonly string[]
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

/** Says who loses what, before something in use is deleted. */
export function ConfirmLosses({ name, lost, onConfirm, onClose }: ConfirmLossesProps) {
  return (
    <Confirm title="Delete what is in use?" action="Delete" onConfirm={onConfirm} onClose={onClose}>
      <p>
        <Name>{name}</Name> is in use. You can undo this.
      </p>
      <ul>
        {lost.map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Confirm>
  )
}
