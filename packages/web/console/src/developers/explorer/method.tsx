import { Badge } from '@mantine/core'

const tones: Record<string, string> = { GET: 'gray', POST: 'teal', PATCH: 'yellow', DELETE: 'red' }

export function Method({ method }: { method: string }) {
  return (
    <Badge size="xs" color={tones[method] ?? 'blue'} className="developers-method">
      {method}
    </Badge>
  )
}
