import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface EmptyProps {
  readonly icon?: ReactNode
  readonly title: string
  /** What the user can do next. */
  readonly children?: ReactNode
  readonly action?: ReactNode
  /** True when it is the only content of the page. */
  readonly is_page?: boolean
}

/** Says what would be shown here, and how to create it. */
export function Empty({ icon, title, children, action, is_page }: EmptyProps) {
  return (
    <Stack className="empty" align="center" gap="xs">
      {icon && <div className="empty-icon">{icon}</div>}
      <Title order={is_page ? 1 : 2} size="h5">
        {title}
      </Title>
      {children && (
        <Text size="sm" c="dimmed" ta="center" maw={420}>
          {children}
        </Text>
      )}
      {action}
    </Stack>
  )
}
