import { makeRecoveryKey, readPublicKey, recoveryKeyId, writePublicKey } from '@gatehouse-access/server'
import { type Command, ConfirmationNeeded } from '../command.ts'
import { readPlainConfig } from '../instance.ts'

export const backupKey: Command = {
  name: 'backup key',
  parameters: [],
  about: 'Makes the recovery key, which opens all backups, and shows it once.',
  details: [
    'The key is never stored: only what encrypts backups for it is kept, in the data folder. Write it down and keep it away from',
    'this machine. Without it, no backup can be restored once the service key is lost.',
  ].join('\n'),
  options: {
    replace: {
      type: 'boolean',
      about: 'Make another key, although there is one. Older backups still need the old one.',
    },
  },
  async run({ env, flag, print }) {
    const { data_dir } = readPlainConfig(env)
    const known = readPublicKey(data_dir)
    if (known && !flag('replace'))
      throw new ConfirmationNeeded(
        `There is a recovery key already, ${recoveryKeyId(known.public_key)} of ${known.made_at}: gatehouse backup key --replace makes another, and backups made until now still need the old one.`,
      )
    const { text, public_key } = makeRecoveryKey()
    await writePublicKey(data_dir, { public_key, made_at: new Date().toISOString() })
    print(text)
    print(`\nThis is the recovery key ${recoveryKeyId(public_key)}. It is shown only now: write it down.`)
  },
}
