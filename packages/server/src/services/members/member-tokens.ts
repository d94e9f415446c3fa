import { digest, newSecret } from '../../vault/vault.ts'
import type { Behaviour } from '../objects/context.ts'

export const memberTokenBehaviour: Behaviour = {
  async beforeCreate() {
    const token = newSecret('ghm')
    return { token, token_hash: digest(token) }
  },
  afterCreate: async (_work, _row, values) => ({ token: values.token }),
}
