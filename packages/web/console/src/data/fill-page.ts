import type { Page } from '@gatehouse-access/sdk'

const mostRequests = 5

/**
 * The service ends a page early if it would have to search far for the rest. Goes on until there are `few`, or all, but not for long:
 * what comes back with `searched_to` goes on when asked.
 */
export async function fillPage<T>(
  cursor: string | undefined,
  few: number,
  load: (cursor: string | undefined) => Promise<Page<T>>,
): Promise<Page<T>> {
  let page = await load(cursor)
  for (let requests = 1; isShort(page, few) && requests < mostRequests; requests++) {
    const next = await load(page.cursor_next)
    page = { ...withoutEnd(page), ...next, data: [...page.data, ...next.data] }
  }
  return isShort(page, few) ? page : withoutEnd(page)
}

function isShort({ has_next, data }: Page<unknown>, few: number): boolean {
  return has_next && data.length < few
}

function withoutEnd<T>({ searched_to: _, ...page }: Page<T>): Page<T> {
  return page
}
