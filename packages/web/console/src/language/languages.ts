/** The languages of the console, each by its own name. */
export const languages = { en: 'English', es: 'Español', de: 'Deutsch', fr: 'Français' } as const
export type Language = keyof typeof languages

/** How each writes dates and numbers: always with 24 hours. */
const locales: Record<Language, string> = { en: 'en-GB', es: 'es', de: 'de', fr: 'fr' }

/** The language of this page: the service sends it in the one that was chosen, else in the browser's. */
export const language = (globalThis.document?.documentElement.lang ?? 'en') as Language

export const locale = locales[language] ?? locales.en

/** Remembers a language for this browser. The page is loaded again in it. */
export function chooseLanguage(chosen: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the service reads it, and not every browser has the Cookie Store API.
  document.cookie = `gatehouse_language=${chosen}; path=/; max-age=31536000; samesite=lax`
  location.reload()
}
