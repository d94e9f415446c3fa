import type { GuestLanguage } from '@gatehouse-access/api'

/** The locale that dates and numbers of a mail are formatted in. English is that of the console: en-GB, with 24 hours. */
export function localeOf(language: GuestLanguage): string {
  return language === 'en' ? 'en-GB' : language
}
