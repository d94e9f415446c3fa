import { Skeleton } from '@mantine/core'
import { type CSSProperties, memo, type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { List } from '../data/use-list.ts'
import { IconArrowDown, IconArrowUp } from '../icons/icons.ts'
import { withinSentence } from './capital.ts'
import { Failure } from './failure.tsx'
import { type Tops, useTops } from './row-tops.ts'
import { SearchOn } from './search-on.tsx'
import { SelectBox, type Selection } from './selection.tsx'

export interface Column<T> {
  readonly title: string
  /** Names the column where it is chosen or sorted by. */
  readonly id?: string
  /** True: shown only if it is chosen. */
  readonly is_extra?: boolean
  /** Sorts by this field of the API. */
  readonly sort?: string
  /** A grid track: `2fr`, `120px`. The first column should be the widest. */
  readonly width: string
  /** The grid track at phone width, if it differs. */
  readonly phone_width?: string
  readonly render: (item: T) => ReactNode
  /** False: hidden at phone width. */
  readonly on_phone?: boolean
  /** Holds buttons, at the end of the row. */
  readonly is_actions?: boolean
  /** True: the buttons are many, and stand below the rest at phone width. For tall rows. */
  readonly is_below?: boolean
}

interface RowsProps<T> {
  readonly label: string
  readonly list: List<T>
  readonly columns: readonly Column<T>[]
  /** Omitted if rows are not links. When set, the first column must not contain a link. */
  readonly href?: (item: T) => string
  readonly keyOf: (item: T) => string
  readonly empty: ReactNode
  /** Omitted if rows cannot be selected. */
  readonly select?: Selecting<T> | undefined
  /** Omitted if rows cannot be sorted. */
  readonly order?: Order | undefined
  /** True: rows say everything, on as many lines as that takes, and at phone width each is a card. */
  readonly is_tall?: boolean
}

/** How rows are sorted: `name:asc`. */
export interface Order {
  readonly sort: string
  readonly onChange: (sort: string) => void
}

export interface Selecting<T> {
  readonly selection: Selection
  /** Names an item for people who do not see its row. */
  readonly nameOf: (item: T) => string
}

const margin = 12

/**
 * A table of any length. Renders only the rows near the viewport, and loads more when the end comes near. Unless they
 * are tall, all rows have the same height, so that a row's position follows from its index.
 */
export function Rows<T>(props: RowsProps<T>) {
  const { label, list, columns, href, keyOf, empty, select, order, is_tall = false } = props
  const body = useRef<HTMLDivElement>(null)
  const { items, offset = 0, has_more } = list
  const count = offset + items.length
  const tops = useTops(body, is_tall)
  const [first, last] = useWindow(body, count, tops)
  useLoading(list, first, last)
  if (list.error && items.length === 0) return <Failure error={list.error} retry={list.refetch} />
  if (!list.is_loading && items.length === 0) return list.searched_to ? <SearchOn list={list} /> : empty
  const from = Math.max(first, offset)
  const shown = items.slice(from - offset, Math.max(0, last - offset))
  return (
    <>
      <div
        role="table"
        aria-label={label}
        aria-rowcount={has_more ? -1 : count + 1}
        className={is_tall ? 'rows rows-tall' : 'rows'}
        style={tracks(columns, select !== undefined)}
      >
        <div role="rowgroup" className="rows-head">
          <div role="row" aria-rowindex={1} className="row row-head">
            {select && (
              <div role="columnheader" className="row-select">
                <SelectBox
                  label={`Select all ${withinSentence(label)} that are shown`}
                  ids={list.items.map(keyOf)}
                  selection={select.selection}
                />
              </div>
            )}
            {columns.map(column => (
              <Heading key={column.title} column={column} order={order} />
            ))}
          </div>
        </div>
        <div
          role="rowgroup"
          ref={body}
          className="rows-body"
          data-stale={list.is_stale}
          style={
            list.is_loading
              ? undefined
              : is_tall
                ? roomAround(tops, from, from + shown.length, count)
                : { height: tops.topOf(count) }
          }
        >
          {list.is_loading
            ? Array.from({ length: 8 }, (_, index) => <SkeletonRow key={index} columns={columns.length} />)
            : shown.map((item, index) => (
                <Row
                  key={keyOf(item)}
                  item={item}
                  index={from + index}
                  top={is_tall ? undefined : tops.topOf(from + index)}
                  columns={columns}
                  href={href}
                  keyOf={keyOf}
                  select={select}
                />
              ))}
        </div>
      </div>
      <SearchOn list={list} />
    </>
  )
}

type RowProps<T> = Pick<RowsProps<T>, 'columns' | 'keyOf' | 'select'> & {
  readonly href: RowsProps<T>['href'] | undefined
  readonly item: T
  readonly index: number
  /** Where it stands. Omitted if that follows from the rows before. */
  readonly top: number | undefined
}

/** Leaves room for the rows that are not rendered. */
function roomAround({ topOf }: Tops, from: number, to: number, count: number): CSSProperties {
  return { paddingTop: topOf(from), paddingBottom: topOf(count) - topOf(to) }
}

/** Rendered once while one scrolls, although rows come and go around it in every frame. */
const Row = memo(function Row<T>({ item, index, top, columns, href, keyOf, select }: RowProps<T>) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={href ? 'row row-link' : 'row'}
      style={top === undefined ? undefined : { transform: `translateY(${top}px)` }}
    >
      {select && (
        <div role="cell" className="row-select">
          <SelectBox
            label={`Select ${select.nameOf(item)}`}
            ids={[keyOf(item)]}
            selection={select.selection}
          />
        </div>
      )}
      {columns.map((column, place) => (
        <div
          role="cell"
          key={column.title}
          data-phone={column.on_phone ?? true}
          data-title={column.title}
          className={endOf(column)}
        >
          {place === 0 && href ? (
            <Link href={href(item)} className="row-target">
              {column.render(item)}
            </Link>
          ) : (
            column.render(item)
          )}
        </div>
      ))}
    </div>
  )
}) as <T>(props: RowProps<T>) => ReactNode

function endOf<T>({ is_actions, is_below }: Column<T>): string | undefined {
  if (!is_actions) return undefined
  return is_below ? 'row-end row-below' : 'row-end'
}

/** Loads what comes near the viewport, below or, in a long list, above. */
function useLoading<T>(list: List<T>, first: number, last: number): void {
  const { items, offset = 0, loadMore, loadBefore, restart } = list
  const has_more = list.has_more && !list.searched_to
  const count = offset + items.length
  useEffect(() => {
    if (has_more && last >= count) loadMore()
    else if (first >= offset) return
    else if (first === 0) restart?.()
    else loadBefore?.()
  }, [has_more, first, last, count, offset, loadMore, loadBefore, restart])
}

interface HeadingProps<T> {
  readonly column: Column<T>
  readonly order: Order | undefined
}

/** The title of a column. If rows can be sorted by it, a button: once more turns the order around. */
function Heading<T>({ column, order }: HeadingProps<T>) {
  const { title, sort, on_phone = true, is_actions } = column
  if (!sort || !order)
    return (
      <div role="columnheader" data-phone={on_phone} className={is_actions ? 'row-head-end' : undefined}>
        {title}
      </div>
    )
  const [by, direction] = order.sort.split(':')
  const is_by = by === sort
  const Icon = direction === 'asc' ? IconArrowUp : IconArrowDown
  return (
    <div
      role="columnheader"
      data-phone={on_phone}
      aria-sort={is_by ? (direction === 'asc' ? 'ascending' : 'descending') : 'none'}
    >
      <button
        type="button"
        className="row-sort"
        onClick={() => order.onChange(`${sort}:${is_by && direction === 'asc' ? 'desc' : 'asc'}`)}
      >
        {title}
        {is_by && <Icon size={13} aria-hidden />}
      </button>
    </div>
  )
}

function SkeletonRow({ columns }: { columns: number }) {
  return (
    <div role="row" className="row row-still">
      {Array.from({ length: columns }, (_, index) => (
        <div role="cell" key={index} data-phone={index < 2}>
          <Skeleton height={10} width={index === 0 ? '60%' : '40%'} />
        </div>
      ))}
    </div>
  )
}

function tracks<T>(columns: readonly Column<T>[], has_select: boolean): CSSProperties {
  const on_phone = columns.filter(column => column.on_phone ?? true)
  const first = has_select ? ['20px'] : []
  return {
    '--tracks': [...first, ...columns.map(({ width }) => track(width))].join(' '),
    '--tracks-phone': [
      ...first,
      ...on_phone.map(({ width, phone_width }) => track(phone_width ?? width)),
    ].join(' '),
  } as CSSProperties
}

/** Fractional tracks may shrink below their content, so long names are clipped. */
function track(width: string): string {
  return width.endsWith('fr') ? `minmax(0, ${width})` : width
}

/** Returns the range of row indexes near the viewport. */
function useWindow(
  body: { current: HTMLDivElement | null },
  count: number,
  { rowAt }: Tops,
): readonly [number, number] {
  const [range, setRange] = useState<readonly [number, number]>([0, 20])
  useEffect(() => {
    let frame = 0
    const look = () => {
      frame = 0
      const top = body.current?.getBoundingClientRect().top ?? 0
      const from = Math.max(0, rowAt(-top) - margin)
      const to = Math.min(count, rowAt(window.innerHeight - top) + 1 + margin)
      setRange(held => (held[0] === from && held[1] === to ? held : [from, Math.max(from, to)]))
    }
    const soon = () => {
      frame ||= requestAnimationFrame(look)
    }
    look()
    window.addEventListener('scroll', soon, { passive: true })
    window.addEventListener('resize', soon)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', soon)
      window.removeEventListener('resize', soon)
    }
  }, [body, count, rowAt])
  return range
}
