const quotes: Readonly<Record<string, readonly [string, string]>> = {
  de: ['„', '“'],
  es: ['«', '»'],
  fr: ['« ', ' »'],
  it: ['«', '»'],
  pt: ['«', '»'],
  ar: ['«', '»'],
}

/** Gaps that hold what somebody called something. */
const names = new Set(['organization', 'application', 'inviter'])

/**
 * Fills the gaps of a text. In a mail, which its reader has no reason to doubt, names stand in quotation marks and on one line: what
 * somebody wrote into a name never passes for what the service says.
 */
export function fillGaps(
  key: string,
  text: string,
  gaps: Readonly<Record<string, string | number>>,
  language: string,
): string {
  const is_mail = key.startsWith('mail_')
  return text.replace(/\{(\w+)\}/g, (_match, name) => {
    const value = String(gaps[name] ?? '')
    return is_mail && names.has(name) ? quote(value, language) : value
  })
}

function quote(name: string, language: string): string {
  const [begin, end] = quotes[language] ?? ['“', '”']
  return `${begin}${onOneLine(name).replace(/[“”„«»]/g, '"')}${end}`
}

/** For names from before line breaks were refused in them, and for texts that may hold some. */
export function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
