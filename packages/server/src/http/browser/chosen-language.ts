import type { IncomingHttpHeaders } from 'node:http'
import { chooseLanguage, type Language, userLanguages } from '../../texts/language.ts'

/** Returns the language that was chosen in the console in this browser, if there is one. */
function chosenLanguage({ cookie }: IncomingHttpHeaders): Language | undefined {
  const chosen = /(?:^|;\s*)gatehouse_language=(\w+)/.exec(cookie ?? '')?.[1]
  return userLanguages.find(language => language === chosen)
}

/** Returns the language of the pages: the one that was chosen, else the first of the browser's that there is. */
export function languageFor(headers: IncomingHttpHeaders): Language {
  return chosenLanguage(headers) ?? chooseLanguage(headers['accept-language'])
}
