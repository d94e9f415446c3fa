import type { Config } from '../config/config.ts'
import { loadSender } from '../delivery/webhooks/dispatcher.ts'
import { loadWebFiles } from '../http/web/files.ts'
import { loadMailer } from '../mail/mailer.ts'
import { loadEngine } from '../oauth/engine.ts'
import { loadClient, loadDialer } from '../outbound/load-client.ts'
import { loadPasskeys } from '../services/accounts/passkeys.ts'
import { loadStolen } from '../services/accounts/passwords.ts'

/**
 * Loads all lazily loaded modules and files. Each is loaded through the module that uses it, so that its
 * cache is filled.
 */
export async function loadEverything({ password_list }: Pick<Config, 'password_list'>): Promise<void> {
  await Promise.all([
    loadEngine(),
    loadPasskeys(),
    loadMailer(),
    loadStolen(password_list),
    loadClient(),
    loadDialer(),
    loadSender(),
  ])
  loadWebFiles()
}
