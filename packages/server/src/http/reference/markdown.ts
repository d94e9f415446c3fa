import { Html, html } from '../../texts/html.ts'
import { codeBlock } from './json.ts'

/**
 * Renders the part of Markdown that our documents use: headings, paragraphs, lists, tables, code, and within lines code,
 * bold, italics and links. Everything else is text, and text is escaped.
 */
export function renderMarkdown(text: string, link: (target: string) => string | undefined): Html {
  const blocks = splitBlocks(text.split('\n'))
  const anchors = new Map<string, number>()
  return html`${blocks.map(block => renderBlock(block, { link, anchors }))}`
}

interface Page {
  /** Where a link leads; undefined if there is no such page here. */
  readonly link: (target: string) => string | undefined
  readonly anchors: Map<string, number>
}

type Block =
  | { readonly type: 'heading'; readonly level: number; readonly text: string }
  | { readonly type: 'code'; readonly language: string; readonly text: string }
  | { readonly type: 'table' | 'list' | 'paragraph'; readonly lines: readonly string[] }

const bullet = /^( *)([-*]|\d+\.) +/

/** Lines without blank ones between them belong together, except that code may have blank lines, and so may lists. */
function splitBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const [, marks = '', heading] = /^(#{1,4}) (.+)$/.exec(line) ?? []
    const [, language] = /^```(\w*)$/.exec(line) ?? []
    if (heading !== undefined) blocks.push({ type: 'heading', level: marks.length, text: heading })
    else if (language !== undefined) {
      const end = lines.indexOf('```', at + 1)
      blocks.push({ type: 'code', language, text: lines.slice(at + 1, end).join('\n') })
      at = end
    } else if (line.trim() !== '') {
      const type = line.startsWith('|') ? 'table' : bullet.test(line) ? 'list' : 'paragraph'
      const end = type === 'list' ? endOfList(lines, at) : endOf(lines, at)
      blocks.push({ type, lines: lines.slice(at, end) })
      at = end - 1
    }
  }
  return blocks
}

function endOf(lines: readonly string[], start: number): number {
  const rest = lines.slice(start + 1)
  const length = rest.findIndex(line => line.trim() === '' || /^(```|#{1,4} )/.test(line))
  return length === -1 ? lines.length : start + 1 + length
}

/** A list goes on after blank lines with its next bullet, and with what is indented. */
function endOfList(lines: readonly string[], start: number): number {
  const isOwn = (line = '') => line.startsWith('  ') || markOf(line) === markOf(lines[start])
  let end = endOf(lines, start)
  for (let next = end; next < lines.length; next++) {
    if (lines[next]?.trim() === '') continue
    if (!isOwn(lines[next])) break
    end = endOf(lines, next)
    next = end - 1
  }
  return end
}

/** Returns `-` or `1`: whether a line begins an item, and of which list. */
function markOf(line = ''): string | undefined {
  return bullet.exec(line)?.[2]?.replace(/\d+\./, '1')
}

function renderBlock(block: Block, page: Page): Html {
  if (block.type === 'heading') return renderHeading(block, page)
  if (block.type === 'code') return codeBlock(block.language || 'Text', html`${block.text}`)
  if (block.type === 'table') return renderTable(block.lines, page)
  if (block.type === 'list') return renderList(block.lines, page)
  return html`<p>${renderLine(block.lines.join('\n'), page)}</p>`
}

function renderHeading({ level, text }: { level: number; text: string }, page: Page): Html {
  const id = anchorOf(text, page.anchors)
  const tag = new Html(`h${level}`)
  if (level === 1) return html`<h1 id="${id}">${renderLine(text, page)}</h1>`
  return html`<${tag} id="${id}"><a href="#${id}">${renderLine(text.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1'), page)}</a></${tag}>`
}

/** As code hosts make them, so that links between documents work in both places. */
export function anchorOf(text: string, taken: Map<string, number> = new Map()): string {
  const plain = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
  const before = taken.get(plain) ?? 0
  taken.set(plain, before + 1)
  return before === 0 ? plain : `${plain}-${before}`
}

function renderTable([head = '', , ...rows]: readonly string[], page: Page): Html {
  const cells = (row: string) =>
    row
      .replace(/^\||\|\s*$/g, '')
      .split(/(?<!\\)\|/)
      .map(cell => renderLine(cell.trim().replaceAll('\\|', '|'), page))
  const body = rows.map(row => html`<tr>${cells(row).map(cell => html`<td>${cell}</td>`)}</tr>`)
  const heads = cells(head)
  const top = heads.some(({ text }) => text !== '')
    ? html`<thead><tr>${heads.map(renderHead)}</tr></thead>`
    : undefined
  return html`<div class="wide" tabindex="0"><table>${top}<tbody>${body}</tbody></table></div>`
}

/** Above the names of rows there may be none: an empty heading would be read out. */
function renderHead(cell: Html): Html {
  return cell.text === '' ? html`<td></td>` : html`<th scope="col">${cell}</th>`
}

/** An item goes on until the next bullet of its own depth. */
function renderList(lines: readonly string[], page: Page): Html {
  const [, indent = '', mark = '-'] = bullet.exec(lines[0] ?? '') ?? []
  const items: string[][] = []
  let width = 0
  for (const line of lines) {
    const [whole = '', depth] = bullet.exec(line) ?? []
    if (depth === indent) {
      width = whole.length
      items.push([line.slice(width)])
    } else items.at(-1)?.push(line.replace(new RegExp(`^ {0,${width}}`), ''))
  }
  const tag = new Html(/\d/.test(mark) ? 'ol' : 'ul')
  return html`<${tag}>${items.map(item => html`<li>${renderItem(item, page)}</li>`)}</${tag}>`
}

/** Its first lines are its text. Below them, bullets are a list within it. */
function renderItem(lines: readonly string[], page: Page): Html {
  const inner = lines.findIndex((line, index) => index > 0 && (bullet.test(line) || line.trim() === ''))
  const own = inner === -1 ? lines : lines.slice(0, inner)
  const rest = splitBlocks(lines.slice(own.length))
  return html`${renderLine(own.join('\n'), page)}${rest.map(block => renderBlock(block, page))}`
}

const inline = /`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)|<(https?:[^>]+)>/gs

function renderLine(text: string, page: Page): Html {
  const pieces: Html[] = []
  let done = 0
  for (const match of text.matchAll(inline)) {
    pieces.push(html`${text.slice(done, match.index)}`, renderMatch(match, page))
    done = match.index + match[0].length
  }
  return html`${pieces}${text.slice(done)}`
}

function renderMatch([, code, bold, italic, label, target, address]: RegExpExecArray, page: Page): Html {
  if (code !== undefined) return html`<code>${code}</code>`
  if (bold !== undefined) return html`<strong>${renderLine(bold, page)}</strong>`
  if (italic !== undefined) return html`<em>${renderLine(italic, page)}</em>`
  if (address !== undefined) return html`<a href="${address}">${address}</a>`
  const href = page.link(target ?? '')
  return href === undefined
    ? renderLine(label ?? '', page)
    : html`<a href="${href}">${renderLine(label ?? '', page)}</a>`
}
