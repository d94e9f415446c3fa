import { Button, Menu } from '@mantine/core'
import { IconColumns } from '../icons/icons.ts'
import type { Column } from '../parts/rows.tsx'
import { useKept } from './use-kept.ts'

export interface Columns<T> {
  readonly shown: readonly Column<T>[]
  /** Those that can be chosen, by their IDs. */
  readonly ids: readonly string[]
  readonly all: readonly Column<T>[]
  choose(ids: readonly string[]): void
}

/** Holds which columns of a list are shown. Columns without an ID always are. */
export function useColumns<T>(list: string, all: readonly Column<T>[]): Columns<T> {
  const usual = all.flatMap(({ id, is_extra }) => (id && !is_extra ? [id] : []))
  const [ids, choose] = useKept<readonly string[]>(`columns-${list}`, usual)
  return { shown: all.filter(({ id }) => !id || ids.includes(id)), ids, all, choose }
}

/** Chooses the columns. A phone has no room for them. */
export function ColumnChoice<T>({ columns }: { columns: Columns<T> }) {
  const { all, ids, choose } = columns
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" className="columns-choice" leftSection={<IconColumns size={14} />}>
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {all.map(
          ({ id, title }) =>
            id && (
              <Menu.CheckboxItem
                key={id}
                checked={ids.includes(id)}
                onChange={() => choose(ids.includes(id) ? ids.filter(one => one !== id) : [...ids, id])}
              >
                {title}
              </Menu.CheckboxItem>
            ),
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
