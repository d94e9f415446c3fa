/** What stands for nothing, as RFC 3454 lists it in B.1, and spaces of its C.1.2 that NFKC would leave as they are. */
const nothing = /\u00ad|\u034f|\u1806|[\u180b-\u180d]|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/gu
const spaces = /[\u1680\u200b]/gu
/** Controls, formats, halves, characters of nobody or for private use: no prepared text may hold them. */
const prohibited = /[\p{C}\p{Zl}\p{Zp}\ufffd]/u

/** As PostgreSQL prepares passwords for SCRAM (SASLprep, RFC 4013): one that cannot be prepared is taken as it is. */
export function preparePassword(password: string): string {
  const prepared = password.replaceAll(spaces, ' ').replaceAll(nothing, '').normalize('NFKC')
  return prepared === '' || prohibited.test(prepared) ? password : prepared
}
