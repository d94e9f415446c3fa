import { digest, newSecret } from '../vault.ts'
import type { Behaviour } from './behaviour.ts'

export const memberTokenBehaviour: Behaviour = {
  async beforeCreate() {
    const token = newSecret('ghm')
    return { token, token_hash: digest(token) }
  },
  afterCreate: async (_work, _row, values) => ({ token: values.token }),
}
