import { language } from '../language/languages.ts'

const quotes = { en: ['“', '”'], es: ['«', '»'], de: ['„', '“'], fr: ['«\u00a0', '\u00a0»'] } as const

/** Returns a value in the quotation marks of the language. */
export function quoted(value: string): string {
  return quotes[language].join(value)
}
