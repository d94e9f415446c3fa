/**
 * Marks a text that people read. The build puts it into each language, see `build/texts`; in the source it is English.
 * What stands between tags, and attributes and properties such as `label`, need no mark.
 * Where languages need other words for other things, the second argument says what the text is said of:
 * `t('Deleted', 'door')`.
 */
export function t(text: string, _of?: string): string {
  return text
}

/** Marks all texts of an object or a list. */
export function spoken<const T>(texts: T): T {
  return texts
}
