/** The languages of the console, each by its own name. */
export const languages = { en: 'English', es: 'Español', de: 'Deutsch', fr: 'Français' } as const
export type Language = keyof typeof languages

const key = 'gatehouse-language'

function isLanguage(text: string): text is Language {
  return text in languages
}

/** Returns the language that the user has chosen in this browser, else the first of the browser's that there is. */
export function chosenLanguage(): Language {
  const wished = [localStorage.getItem(key) ?? '', ...navigator.languages.map(tag => tag.split('-')[0] ?? '')]
  return wished.find(isLanguage) ?? 'en'
}

/** Texts are read when the page is loaded, so it is loaded again. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(key, language)
  location.reload()
}
