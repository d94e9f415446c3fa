import { type Html, html } from '../texts/html.ts'
import type { Letter } from './letter.ts'

/** A sentence up to this long becomes the label of the button for the URL that follows it. */
const longestLabel = 28

/** Renders the paragraphs of a letter's text: codes large, own URLs at the ends of lines as buttons. */
export function paragraphsOf(letter: Letter): Html[] {
  return letter.text
    .trim()
    .split(/\n{2,}/)
    .map(paragraph => renderParagraph(letter, paragraph.split('\n')))
}

function renderParagraph(letter: Letter, lines: readonly string[]): Html {
  const rendered = lines.map((line, index) => {
    const is_last = index === lines.length - 1
    return renderLine(letter, line, is_last)
  })
  return html`<div class="ink" style="margin:0 0 14px;color:#1a1c21">${rendered}</div>\n`
}

function renderLine(letter: Letter, line: string, is_last: boolean): Html {
  const [, before = '', url = ''] = /^(.*?)\s*(https?:\/\/\S+)$/.exec(line) ?? []
  if (url !== '' && isOwn(letter, url)) return renderLink(letter, before, url)
  return html`${markCodes(line, letter.codes ?? [])}${!is_last && html`<br>`}`
}

function isOwn({ own_url }: Letter, url: string): boolean {
  return url === own_url || url.startsWith(`${own_url}/`)
}

/** The URL is shown too, for readers who open it elsewhere. */
function renderLink({ voice }: Letter, before: string, url: string): Html {
  const label = before.replace(/\s*[:：]$/u, '')
  const is_label = label !== '' && label.length <= longestLabel
  return html`${!is_label && before !== '' && html`<div>${before}</div>`}
<div style="margin:12px 0 6px"><a class="button" href="${url}" style="display:inline-block;padding:11px 20px;border-radius:8px;background:#3551c9;color:#ffffff;font-weight:600;text-decoration:none">${is_label ? label : voice.say('mail_open')}</a></div>
<div class="soft" dir="ltr" style="color:#5c6270;font-size:13px"><a href="${url}" style="color:#5c6270;text-decoration:none">${url}</a></div>`
}

function markCodes(line: string, codes: readonly string[]): (string | Html)[] {
  const [code] = codes.filter(value => value !== '' && line.includes(value))
  if (code === undefined) return [line]
  const [before = '', ...rest] = line.split(code)
  const shown = html`<div class="code" dir="ltr" style="margin:10px 0;padding:12px 16px;border-radius:8px;background:#f7f8f9;color:#1a1c21;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:24px;font-weight:600;letter-spacing:2px;text-align:center">${code}</div>`
  return [before, shown, ...markCodes(rest.join(code), codes)]
}
