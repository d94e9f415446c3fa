/** Characters mapped to nothing (RFC 3454, B.1), and the spaces of its C.1.2 that NFKC leaves unchanged. */
const nothing = /\u00ad|\u034f|\u1806|[\u180b-\u180d]|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/gu
const spaces = /[\u1680\u200b]/gu
/** Control, format, surrogate, unassigned and private-use characters, prohibited in prepared text. */
const prohibited = /[\p{C}\p{Zl}\p{Zp}\ufffd]/u

/**
 * Prepares a password for SCRAM as PostgreSQL does (SASLprep, RFC 4013). A password that cannot be prepared
 * is used unchanged.
 */
export function preparePassword(password: string): string {
  const prepared = password.replaceAll(spaces, ' ').replaceAll(nothing, '').normalize('NFKC')
  return prepared === '' || prohibited.test(prepared) ? password : prepared
}
