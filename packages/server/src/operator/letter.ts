import { composeMail } from '../mail/compose-mail.ts'
import { ownBrand } from '../mail/letter.ts'
import type { Mail } from '../mail/mailer.ts'
import { voiceOf } from '../texts/language.ts'
import type { InstanceAlarm } from './instance-alarm.ts'

const words = {
  backup_failed: {
    on: 'Backups fail',
    over: 'Backups work again',
    advice: 'gatehouse backup status and gatehouse doctor say more.',
  },
  certificate_expiring: {
    on: 'The certificate is about to end',
    over: 'The certificate was replaced',
    advice: 'The log says why each renewal failed, and gatehouse doctor looks at the certificate.',
  },
} as const

/** The mail to the operator about an alarm as it is now. In English: nobody knows the operator's language. */
export function composeOperatorMail(alarm: InstanceAlarm, to: string, own_url: string): Mail {
  const { ended_at, message, place, reason, started_at, type } = alarm
  const { on, over, advice } = words[type]
  const what = ended_at === null ? on : over
  const times = [`Since ${minute(started_at)}`, ...(ended_at === null ? [] : [`until ${minute(ended_at)}`])]
  const lines = [`${type} (${reason}) at ${place}: ${message.replace(/\.$/, '')}.`, `${times.join(', ')}.`]
  return composeMail({
    to,
    kind: 'instance_alarm',
    voice: voiceOf('en'),
    subject: `${what}: ${new URL(own_url).hostname}`,
    text: [...lines, '', ...(ended_at === null ? [advice] : [])].join('\n'),
    brand: ownBrand,
    own_url,
    tone: ended_at === null ? 'critical' : 'info',
  })
}

function minute(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`
}
