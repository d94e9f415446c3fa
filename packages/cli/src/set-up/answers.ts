import { networkInterfaces } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { type Input, UsageError } from '../command.ts'

/** A question of `set-up`, its flag, and the variable that the answer becomes. */
interface Question {
  readonly flag: string
  readonly variable: string
  readonly ask: string
  readonly usual?: string
  readonly is_optional?: true
}

export const questions: readonly Question[] = [
  { flag: 'name', variable: 'GATEHOUSE_PUBLIC_URL', ask: 'Public name, such as gatehouse.example.com' },
  {
    flag: 'mail',
    variable: 'GATEHOUSE_ACME_EMAIL',
    ask: 'Your email address, for the certificate authority and for what goes wrong here',
    is_optional: true,
  },
  { flag: 'data', variable: 'GATEHOUSE_DATA_DIR', ask: 'Data folder', usual: '/var/lib/gatehouse' },
  {
    flag: 'backup',
    variable: 'GATEHOUSE_BACKUP_DIR',
    ask: 'Backup folder, on another disk',
    is_optional: true,
  },
]

/** Flags that are never asked for. */
export const plainFlags: Readonly<Record<string, string>> = {
  'acme-directory': 'GATEHOUSE_ACME_DIRECTORY',
  'acme-ca': 'NODE_EXTRA_CA_CERTS',
  tls: 'GATEHOUSE_TLS',
  certificate: 'GATEHOUSE_TLS_CERTIFICATE',
  key: 'GATEHOUSE_TLS_KEY',
  host: 'HOST',
  port: 'PORT',
  'http-port': 'GATEHOUSE_HTTP_PORT',
  'smtp-url': 'GATEHOUSE_SMTP_URL',
  'mail-from': 'GATEHOUSE_MAIL_FROM',
  'operator-mail': 'GATEHOUSE_OPERATOR_EMAIL',
}

/** Returns the settings that are wanted: by flag, as they are, by answer, as usual. */
export async function gatherSettings(
  input: Input,
  known: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const wanted: Record<string, string> = { ...known }
  const ask = asker(input)
  for (const question of questions) {
    const { flag, variable, usual, is_optional } = question
    const given = input.text(flag) ?? known[variable] ?? (await ask?.(question)) ?? usual
    if (given) wanted[variable] = variable === 'GATEHOUSE_PUBLIC_URL' ? asUrl(given) : given
    else if (!is_optional)
      throw new UsageError(`gatehouse set-up needs --${flag}; gatehouse set-up --help explains it.`)
  }
  for (const [flag, variable] of Object.entries(plainFlags)) {
    const given = input.text(flag)
    if (given !== undefined) wanted[variable] = given
  }
  wanted.GATEHOUSE_TLS ??= 'acme'
  wanted.HOST ??= hasIPv6() ? '::' : '0.0.0.0'
  wanted.PORT ??= '443'
  return wanted
}

function asUrl(name: string): string {
  return /^https?:\/\//.test(name) ? name : `https://${name}`
}

function hasIPv6(): boolean {
  return Object.values(networkInterfaces()).some(list => list?.some(({ family }) => family === 'IPv6'))
}

/** Asks only people. */
function asker({ terminal, flag }: Input): ((question: Question) => Promise<string | undefined>) | undefined {
  if (!terminal.stdout.isTTY || flag('yes')) return undefined
  return async ({ ask, usual }) => {
    const reader = createInterface({ input: terminal.stdin, output: process.stdout })
    const answer = await reader.question(`${ask}${usual ? ` [${usual}]` : ''}: `)
    reader.close()
    return answer.trim() || undefined
  }
}
