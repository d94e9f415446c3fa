import type { Client } from '@gatehouse-access/sdk'

/** What a command was told about where to act. */
export interface Asked {
  readonly env: NodeJS.ProcessEnv
  text(option: string): string | undefined
}

/** What acts for one organization. */
export interface Access {
  readonly client: Client
  /** Ends with the version. */
  readonly base_url: string
  token(): Promise<string>
}
