import { type Html, html } from '../texts/html.ts'
import type { Letter, Tone } from './letter.ts'
import { paragraphsOf } from './paragraphs.ts'

const edges: Readonly<Record<Tone, string>> = { critical: '#c4232f', warning: '#c27800', info: '#0b5cad' }

/**
 * For clients that follow the reader's dark mode. Those that ignore style sheets show the light colours, which
 * are written on each element, and those that invert colours find enough contrast in them.
 */
const style = html`:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.ground{background:#0f151c!important}
.card{background:#18212b!important}
.ink{color:#eef2f6!important}
.soft,.soft a{color:#a9b7c5!important}
.code{background:#0f151c!important;color:#eef2f6!important}
.button{background:#7ab8ff!important;color:#0b1a2b!important}
.line{border-color:#3a4756!important}
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
<body class="ground" style="margin:0;padding:0;background:#eef1f5">
<table role="presentation" class="ground" dir="${direction}" width="100%" cellpadding="0" cellspacing="0" style="background:#eef1f5"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border-top:4px solid ${edges[tone]};border-radius:10px"><tr><td class="ink" style="padding:28px 28px 24px;color:#16202c;${font};font-size:16px;line-height:1.5;overflow-wrap:anywhere">
<p class="soft" style="margin:0 0 20px;color:#51606f;font-size:15px;font-weight:600">${mark}${brand.name}</p>
<h1 class="ink" style="margin:0 0 16px;color:#16202c;font-size:21px;line-height:1.3">${subject}</h1>
${paragraphsOf(letter)}
<p class="soft line" style="margin:28px 0 0;padding-top:14px;border-top:1px solid #d5dce4;color:#51606f;font-size:13px">${voice.say('mail_footer', { host: new URL(own_url).host })}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`.text
}
