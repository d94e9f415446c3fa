import { html } from '../texts/html.ts'
import { layOut } from './layout.ts'
import type { Letter } from './letter.ts'
import type { Mail } from './mailer.ts'

const logo_cid = 'logo@gatehouse'
const logo_style =
  'height:32px;max-width:160px;padding:4px;border-radius:6px;background:#ffffff;vertical-align:middle;margin-inline-end:10px'

/** Lays a letter out as a mail with a plain and an HTML part. The logo travels inside: nothing is loaded. */
export function composeMail(letter: Letter): Mail {
  const { to, kind, subject, text, brand } = letter
  const mark = brand.logo && html`<img src="cid:${logo_cid}" alt="" height="32" style="${logo_style}">`
  return {
    to,
    kind,
    subject,
    text: `${text.trimEnd()}\n`,
    html: layOut(letter, mark),
    ...(brand.logo && { images: [{ cid: logo_cid, ...brand.logo }] }),
  }
}
