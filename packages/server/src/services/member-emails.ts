import type { Behaviour } from './behaviour.ts'

export const memberEmailBehaviour: Behaviour = {
  settle: after => ({ email_key: (after.email as string).toLowerCase() }),
}
