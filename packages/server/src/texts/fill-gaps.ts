const quotes: Readonly<Record<string, readonly [string, string]>> = {
  de: ['„', '“'],
  es: ['«', '»'],
  fr: ['« ', ' »'],
  it: ['«', '»'],
  pt: ['«', '»'],
  ar: ['«', '»'],
}

/** Gaps that hold user-chosen names. */
const names = new Set(['organization', 'application', 'inviter'])

/**
 * Fills the gaps of a text. Recipients trust mails, so names in a mail are quoted and put on one line: text
 * that a user wrote into a name must not look like text of the service.
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

/** For names stored before line breaks were rejected, and for texts that may contain some. */
export function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
