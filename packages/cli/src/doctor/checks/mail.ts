import { messageOf } from '@gatehouse-access/core'
import { checkMailServer, openMailer, vapidSubject } from '@gatehouse-access/server'
import { type Check, failure, warning, well } from '../check.ts'

const advice = 'Check GATEHOUSE_SMTP_URL: name, port, user and password.'

export const mail: Check = {
  id: 'mail',
  async look({ config, input }) {
    if (config.smtp_url === undefined)
      return warning(
        'No mail server is set: nobody can sign up by mail, reset a password or get an invitation.',
        'Set GATEHOUSE_SMTP_URL and GATEHOUSE_MAIL_FROM.',
      )
    const to = input.text('mail-to')
    try {
      if (to === undefined) {
        await checkMailServer(config)
        return well('The mail server accepts the service. --mail-to ADDRESS sends a test.')
      }
      using mailer = openMailer(config, silent)
      const text = 'This email shows that Gatehouse can send mail.'
      await mailer.send({ to, kind: 'test', subject: 'A test of Gatehouse', text })
      return well(`The mail server accepted a test for ${to}.`)
    } catch (error) {
      return failure(`The mail server refuses: ${reasonOf(error)}.`, advice)
    }
  },
}

const silent = { info: () => undefined }

function reasonOf(error: unknown): string {
  return messageOf(error instanceof Error ? (error.cause ?? error) : error)
}

export const push: Check = {
  id: 'push',
  async look({ config }) {
    const said = vapidSubject(config)
    return 'subject' in said
      ? well(`Push services can ask ${said.subject} about this installation.`)
      : warning('Push to browsers is off: push services would refuse its sender.', said.off_reason)
  },
}
