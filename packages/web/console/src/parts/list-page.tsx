import type { ReactNode } from 'react'
import type { ItemOf, Plural, QueryOf } from '../data/collections.ts'
import { totalText } from '../data/use-count.ts'
import { useList } from '../data/use-list.ts'
import { withinSentence } from './capital.ts'
import { Empty } from './empty.tsx'
import { Page } from './page.tsx'
import { type Column, type Order, Rows, type Selecting } from './rows.tsx'
import { SearchField, useSearchText } from './search-field.tsx'
import { type Adding, useAdding } from './use-adding.tsx'
import { type Deleted, useDeleted } from './use-deleted.tsx'

interface ListPageProps<P extends Plural> {
  readonly title: string
  readonly plural: P
  readonly columns: readonly Column<ItemOf<P>>[]
  readonly href: (item: ItemOf<P>) => string
  /** Filters, sort order and expands in addition to the search. */
  readonly query?: QueryOf<P>
  readonly search?: string
  readonly actions?: ReactNode
  /** Shown beside the search field. */
  readonly filters?: ReactNode
  /** Offers to show what was deleted instead. */
  readonly deleted?: Deleted
  readonly adding: Adding
  /** Shown when the list is empty. */
  readonly empty: { readonly icon: ReactNode; readonly title: string; readonly about?: string | undefined }
  readonly select?: Selecting<ItemOf<P>> | undefined
  /** Omitted if the list cannot be sorted. */
  readonly order?: Order | undefined
  /** Shown above the list. */
  readonly above?: ReactNode
  readonly children?: ReactNode
}

/** A screen with one list and search as you type. */
export function ListPage<P extends Plural>(props: ListPageProps<P>) {
  const [text, q, setText] = useSearchText()
  const { is_deleted, choice } = useDeleted(props.deleted?.label)
  const query = { ...props.query, ...(q && { q }), ...(is_deleted && { is_deleted }) } as QueryOf<P>
  const list = useList(props.plural, query, { with_count: true })
  const { button, first_button, dialog } = useAdding(props.adding)
  const { icon } = props.empty
  const empty = q ? (
    <Empty title={`No results for “${q}”`}>Try another part of the name, or clear the search.</Empty>
  ) : is_deleted ? (
    <Empty icon={icon} title={props.deleted?.title ?? ''} />
  ) : (
    <Empty icon={icon} title={props.empty.title} action={first_button}>
      {props.empty.about}
    </Empty>
  )
  const actions = (
    <>
      {props.actions}
      {button}
    </>
  )
  return (
    <Page title={props.title} actions={actions}>
      <div className="toolbar">
        <SearchField
          label={props.search ?? `Search ${withinSentence(props.title)}`}
          value={text}
          onChange={setText}
        />
        {props.filters}
        {choice}
        {list.count !== undefined && list.count > 0 && (
          <span className="list-count soft">{totalText(list.count)}</span>
        )}
      </div>
      {props.above}
      <Rows
        label={props.title}
        select={props.select}
        order={props.order}
        list={list}
        columns={props.columns}
        href={props.href}
        keyOf={item => (item as { id: string }).id}
        empty={empty}
      />
      {dialog}
      {props.children}
    </Page>
  )
}
