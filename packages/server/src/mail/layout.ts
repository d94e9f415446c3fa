import { type Html, html } from '../texts/html.ts'
import type { Letter, Tone } from './letter.ts'
import { paragraphsOf } from './paragraphs.ts'

const edges: Readonly<Record<Tone, string>> = { critical: '#c4232f', warning: '#c27800', info: '#3551c9' }

/**
 * For clients that follow the reader's dark mode. Those that ignore style sheets show the light colours, which
 * are written on each element, and those that invert colours find enough contrast in them.
 */
const style = html`:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.ground{background:#111317!important}
.card{background:#16181d!important}
.ink{color:#e4e6ea!important}
.soft,.soft a{color:#9ba2af!important}
.code{background:#111317!important;color:#e4e6ea!important}
.button{background:#4460d8!important;color:#ffffff!important}
.line{border-color:#272a31!important}
}`

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Liberation Sans',sans-serif"

/** Renders the HTML part. Everything that comes from outside is escaped by `html`. */
export function layOut(letter: Letter, mark: Html | undefined): string {
  const { voice, subject, brand, own_url, tone = 'info' } = letter
  const direction = voice.language === 'ar' ? 'rtl' : 'ltr'
  return html`<!doctype html>
<html lang="${voice.language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${style}</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#f7f8f9">
<table role="presentation" class="ground" dir="${direction}" width="100%" cellpadding="0" cellspacing="0" style="background:#f7f8f9"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border-top:4px solid ${edges[tone]};border-radius:10px"><tr><td class="ink" style="padding:28px 28px 24px;color:#1a1c21;${font};font-size:16px;line-height:1.5;overflow-wrap:anywhere">
<p class="soft" style="margin:0 0 20px;color:#5c6270;font-size:15px;font-weight:600">${mark}${brand.name}</p>
<h1 class="ink" style="margin:0 0 16px;color:#1a1c21;font-size:21px;line-height:1.3">${subject}</h1>
${paragraphsOf(letter)}
<p class="soft line" style="margin:28px 0 0;padding-top:14px;border-top:1px solid #e6e8ec;color:#5c6270;font-size:13px">${voice.say('mail_footer', { host: new URL(own_url).host })}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`.text
}
