import { behaviour } from '../objects/behaviour.ts'

export const memberEmailBehaviour = behaviour('member_email', {
  settle: after => ({ email_key: after.email.toLowerCase() }),
})
