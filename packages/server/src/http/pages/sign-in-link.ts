import { inConstantTime } from '../../services/accounts/constant-time.ts'
import { readLink, sendLink } from '../../services/accounts/known-browsers.ts'
import { type Html, html } from '../../texts/html.ts'
import { go, show } from './answer.ts'
import { notice, type Page } from './layout.ts'
import { whereIsMail } from './parts.ts'
import type { Visit } from './visit.ts'

/** Helps an account owner whose sign-in is delayed by the attempts of others. */
export function linkForm({ voice, form_token }: Visit, email: string): Html {
  return html`<form method="post" action="/sign-in/link"><input type="hidden" name="form_token" value="${form_token}">
<input type="hidden" name="email" value="${email}"><p>${voice.say('link_offer')}</p>
<div class="buttons"><button class="second">${voice.say('link_send')}</button></div></form>`
}

export async function takeLinkWish(visit: Visit): Promise<void> {
  const { context, voice, form } = visit
  const email = (form.email ?? '').trim()
  await inConstantTime(sendLink(context, voice, email))
  show(visit, sentPage(visit, email))
}

function sentPage(visit: Visit, email: string): Page {
  const { voice } = visit
  return {
    title: voice.say('sign_in'),
    body: html`<h1>${voice.say('sign_in')}</h1>
${notice(whereIsMail(visit, 'link', email), 'good')}
<ul class="links"><li><a href="/sign-in">${voice.say('sign_in')}</a></li></ul>`,
  }
}

/** Opening the link signs no one in, so a mail client that prefetches links does no harm. */
export function openLink(visit: Visit): void {
  const { context, query, reply, sessions } = visit
  const { email = '', link = '' } = query
  const known = readLink(context, email, link)
  if (known === undefined) show(visit, wrongPage(visit), { status: 400 })
  else {
    sessions.mark(reply, email, known)
    go(visit, `/sign-in?${new URLSearchParams({ done: 'link', email })}`)
  }
}

function wrongPage({ voice }: Visit): Page {
  return {
    title: voice.say('sign_in'),
    body: html`<h1>${voice.say('sign_in')}</h1>
${notice(voice.say('link_wrong'))}
<ul class="links"><li><a href="/sign-in">${voice.say('sign_in')}</a></li></ul>`,
  }
}
