/** Formats `member_pin` for people: `member PIN`. */
export function spell(name: string): string {
  return name.replaceAll('_', ' ').replace(/\bpin(s?)\b/, 'PIN$1')
}

export function withArticle(noun: string): string {
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`
}
