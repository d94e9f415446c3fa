import { digest, newSecret } from '../../vault/vault.ts'
import { behaviour } from '../objects/behaviour.ts'
import { settleSuspension } from '../objects/suspension.ts'

export const memberTokenBehaviour = behaviour('member_token', {
  settle: settleSuspension,
  async beforeCreate() {
    const token = newSecret('ghm')
    return { token, token_hash: digest(token) }
  },
  afterCreate: async (_work, _row, values) => ({ token: values.token }),
})
