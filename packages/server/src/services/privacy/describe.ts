import { purposes, type RecordEntry } from '@gatehouse-access/api'
import { listProcessing } from './processing.ts'

/** Returns the tables of docs/privacy.md: why personal data is stored, and which. */
export function describeProcessing(): string {
  const reasons = Object.entries(purposes).map(([purpose, about]) => `| \`${purpose}\` | ${about} |`)
  const rows = listProcessing().map(
    entry =>
      `| \`${entry.data}\` | \`${entry.purpose}\` | ${describeFields(entry)} | ${describeKept(entry)} |`,
  )
  return `## Purposes

| Purpose | What for |
|---|---|
${reasons.join('\n')}

## What is stored

By table, with the class of each field that can hold personal data.

| Table | Purpose | Fields | Kept |
|---|---|---|---|
${rows.join('\n')}
`
}

function describeFields({ fields }: RecordEntry): string {
  return fields
    .map(({ class: name, names }) => `${name}: ${names.map(column => `\`${column}\``).join(', ')}`)
    .join('; ')
}

function describeKept({ kept, kept_seconds, kept_from }: RecordEntry): string {
  switch (kept) {
    case 'after':
      return kept_seconds ? `${describeTime(kept_seconds)} after \`${kept_from}\`` : `until \`${kept_from}\``
    case 'events':
      return 'by the periods for events'
    case 'after_deletion':
      return '`member_days` after the deletion of the member'
    default:
      return 'while it exists'
  }
}

function describeTime(seconds: number): string {
  const [count, unit] = seconds >= 86_400 ? [seconds / 86_400, 'day'] : [seconds / 3600, 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
