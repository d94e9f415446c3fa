import type { Context } from '../../services/objects/context.ts'

/** What telling people needs of the service. */
export type Needs = Pick<
  Context,
  'db' | 'clock' | 'zones' | 'log' | 'vault' | 'mailer' | 'channels' | 'config' | 'metrics'
>
