import { language } from '../language/languages.ts'

/** Returns the text with an initial capital, for use on its own. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns a title as it stands within a sentence. German writes its nouns with a capital there, too. */
export function withinSentence(title: string): string {
  return language === 'de' ? title : title.toLowerCase()
}
