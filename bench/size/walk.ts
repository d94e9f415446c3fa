const deepest = 1000

interface Page {
  has_next: boolean
  cursor_next?: string
}

/** Follows the cursors of each list to page 1,000, or to the last full page that all lists have. */
export async function walk(
  url: string,
  paths: readonly string[],
  headers: Record<string, string>,
): Promise<{ page: number; paths: string[] }> {
  const cursors = await Promise.all(paths.map(path => followCursors(`${url}/v2${path}`, headers)))
  const page = Math.min(...cursors.map(list => list.length + 1))
  return { page, paths: paths.map((path, index) => `${path}&cursor=${cursors[index]?.[page - 2]}`) }
}

/** Returns the cursor of each page after the first. */
async function followCursors(first: string, headers: Record<string, string>): Promise<string[]> {
  const cursors: string[] = []
  let url = first
  while (cursors.length + 1 < deepest) {
    const page = (await (await fetch(url, { headers })).json()) as Page
    if (!page.has_next || !page.cursor_next) break
    cursors.push(page.cursor_next)
    url = `${first}&cursor=${page.cursor_next}`
  }
  return cursors.slice(0, -1).length > 0 && cursors.length + 1 < deepest ? cursors.slice(0, -1) : cursors
}
