import type { Page } from '@gatehouse-access/sdk'
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { keyOf } from '../data/collections.ts'
import { usePages } from '../data/use-list.ts'
import { IconChevronDown, IconChevronRight } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { useApi } from '../session/use-api.ts'
import { Failure } from './failure.tsx'
import { LoadingLines } from './loading.tsx'
import { Name, NameLink } from './name.tsx'
import { RestoreButton } from './restore-button.tsx'
import './deleted-lines.css'

export interface DeletedLine {
  readonly id: string
  readonly name: string
  readonly more?: string | undefined
  /** Where there is more to read of it. */
  readonly href?: string | undefined
  /** Omitted if it cannot be brought back: `more` says why. */
  restore?(): Promise<unknown>
}

interface DeletedLinesProps {
  /** Names the list: `Deleted credentials`. */
  readonly label: string
  /** The object of the page. */
  readonly of: string
  /** What a restoring changes. The first is whose list it is. */
  readonly plurals: readonly [string, ...string[]]
  load(cursor: string | undefined, signal: AbortSignal): Promise<Page<DeletedLine>>
}

/** What was deleted from a list of a page, folded, with a button that brings each back. */
export function DeletedLines(props: DeletedLinesProps) {
  const [is_open, setOpen] = useState(false)
  return (
    <div className="deleted-lines">
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={is_open ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
        aria-expanded={is_open}
        onClick={() => setOpen(!is_open)}
      >
        {props.label}
      </Button>
      {is_open && <Lines {...props} />}
    </div>
  )
}

function Lines({ label, of, plurals, load }: DeletedLinesProps) {
  const { organization } = useApi()
  const { items, error, is_loading, has_more, refetch, loadMore } = usePages(
    keyOf(organization.id, plurals[0], 'deleted', label, of),
    load,
  )
  if (error) return <Failure error={error} retry={refetch} />
  if (is_loading) return <LoadingLines lines={2} />
  if (items.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing is deleted.
      </Text>
    )
  return (
    <>
      <ul aria-label={label}>
        {items.map(({ id, name, more, href, restore }) => (
          <li key={id}>
            <span>
              {href ? <NameLink href={href}>{name}</NameLink> : <Name>{name}</Name>}
              {more && <span className="soft">{more}</span>}
            </span>
            {restore && (
              <RestoreButton
                small
                removal={{ id, name, is_phrase: true, plurals, restore }}
                label={t(`Restore ${name}`)}
              />
            )}
          </li>
        ))}
      </ul>
      {has_more && (
        <Button variant="subtle" size="xs" onClick={loadMore}>
          Show more
        </Button>
      )}
    </>
  )
}
