import { Skeleton, Stack } from '@mantine/core'

/** The placeholder of a page that is loading. */
export function LoadingPage() {
  return (
    <div className="page" aria-busy="true" role="status" aria-label="Loading">
      <Skeleton height={22} width={180} mb="lg" />
      <LoadingLines lines={6} />
    </div>
  )
}

export function LoadingLines({ lines = 3 }: { lines?: number }) {
  return (
    <Stack gap="sm" aria-hidden>
      {Array.from({ length: lines }, (_, index) => (
        <Skeleton key={index} height={14} width={`${90 - ((index * 13) % 40)}%`} />
      ))}
    </Stack>
  )
}
