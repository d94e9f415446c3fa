import type { Behaviour } from '../objects/context.ts'

export const memberEmailBehaviour: Behaviour = {
  settle: after => ({ email_key: (after.email as string).toLowerCase() }),
}
