import { behaviour } from '../objects/behaviour.ts'
import { settleSuspension } from '../objects/suspension.ts'

export const memberEmailBehaviour = behaviour('member_email', {
  settle: (after, before, now) => ({
    email_key: after.email.toLowerCase(),
    ...settleSuspension(after, before, now),
  }),
})
