/** The longest text that events keep of a value. */
export const keptCharacters = 200

/** Cuts a long text, with a mark at its end. Never in the middle of a character. */
export function cutText(text: string, most = keptCharacters): string {
  if (text.length <= most) return text
  const end = (text.codePointAt(most - 1) ?? 0) > 0xffff ? most - 1 : most
  return `${text.slice(0, end)}…`
}
