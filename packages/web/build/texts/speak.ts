import { marks } from './mark-texts.ts'

const marked = new RegExp(`${marks.start}([^${marks.end}]*)${marks.end}`, 'g')
const said = new RegExp(`${marks.of}.*$`)

/** Puts texts in the place of the marked ones. Without texts, takes the marks away. */
export function speak(code: string, texts?: Readonly<Record<string, string>>): string {
  return code.replaceAll(marked, (_, written: string, at: number) => {
    const text = texts?.[readEscaped(written)]
    return text === undefined ? written.replace(said, '') : escapeIn(quoteBefore(code, at), text)
  })
}

/** Returns the text of a part of a literal. */
function readEscaped(written: string): string {
  return JSON.parse(`"${written.replaceAll(/\\([`'$])/g, '$1').replaceAll(/(?<!\\)"/g, '\\"')}"`) as string
}

/** Returns the quote that begins the literal around a place. */
function quoteBefore(code: string, at: number): string {
  for (let place = at - 1; place >= 0; place--) {
    const sign = code[place] as string
    if ((sign === '"' || sign === "'" || sign === '`') && code[place - 1] !== '\\') return sign
  }
  return '"'
}

function escapeIn(quote: string, text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  if (quote === '`') return escaped.replaceAll(/`|\$\{/g, '\\$&')
  return escaped.replaceAll(quote, `\\${quote}`)
}
