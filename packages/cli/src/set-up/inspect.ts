import { lookup } from 'node:dns/promises'
import { createServer } from 'node:net'
import { codeOf } from '@gatehouse-access/core'
import type { Config } from '@gatehouse-access/server'
import { askService } from '../ask-service.ts'
import type { Input } from '../command.ts'
import { type Finding, failure, well } from '../doctor/check.ts'
import { clock, disk } from '../doctor/checks/machine.ts'

/** Looks at what the service will need, before anything is written. */
export async function inspect(input: Input, config: Config): Promise<Finding[]> {
  const patient = { input, config, db: undefined }
  const ports = [config.port, ...(config.tls?.http_port ? [config.tls.http_port] : [])]
  const found = await Promise.all([
    lookAtName(config),
    ...ports.map(port => lookAtPort(config, port)),
    clock.look(patient),
    disk.look(patient),
  ])
  return found.filter(({ status }) => status !== 'skipped')
}

async function lookAtName({ public_url }: Config): Promise<Finding> {
  const { hostname } = new URL(public_url)
  const found = await lookup(hostname, { all: true }).catch(() => [])
  if (found.length > 0) return well(`${hostname} leads to ${found.map(({ address }) => address).join(', ')}.`)
  return failure(
    `The name ${hostname} does not resolve.`,
    'Create a DNS record that leads to this machine first.',
  )
}

/** A port is fine if it is free, or if the service itself has it. */
async function lookAtPort(config: Config, port: number): Promise<Finding> {
  const code = await tryPort(config.host, port)
  if (code === undefined) return well(`Port ${port} is free.`)
  const is_plain = port !== config.port
  const answer = await askService(config, '/healthz', { port, is_plain }).catch(() => undefined)
  if (answer && (answer.text.includes('"ok"') || answer.status === 308))
    return well(`Port ${port} is the service's.`)
  return failure(
    code === 'EADDRINUSE'
      ? `Port ${port} is taken by another program.`
      : `Port ${port} cannot be used: ${code}.`,
    `See who has it with ss -ltnp, and stop it.`,
  )
}

function tryPort(host: string, port: number): Promise<string | undefined> {
  return new Promise(resolve => {
    const server = createServer().once('error', error => resolve(codeOf(error) ?? 'unknown'))
    server.listen({ host, port }, () => server.close(() => resolve(undefined)))
  })
}
