/** Returns the text with an initial capital, for use on its own. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
