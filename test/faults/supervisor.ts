import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Whether this machine has what is needed to play systemd. Node has no datagram sockets of this kind. */
export const canSupervise = ['/usr/bin/perl', '/usr/bin/systemd-notify'].every(existsSync)

/** Plays systemd for one service: the socket that it is told about, and what it said there. */
export interface Ear extends AsyncDisposable {
  readonly env: Record<string, string>
  heard(): string[]
}

const listen = `
  use Socket; $| = 1;
  socket(my $s, AF_UNIX, SOCK_DGRAM, 0); bind($s, sockaddr_un($ARGV[0])) or die;
  print "listening\\n";
  while (defined recv($s, my $text, 4096, 0)) { print "$text\\n" }`

/** `watchdog` is in milliseconds. */
export async function openEar(watchdog: number): Promise<Ear> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-ear-'))
  const path = join(folder, 'notify')
  const child = spawn('/usr/bin/perl', ['-e', listen, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', chunk => {
    text += chunk
  })
  await once(child.stdout, 'data')
  // Every account can write to the socket of systemd.
  await Promise.all([chmod(folder, 0o755), chmod(path, 0o777)])
  return {
    env: { NOTIFY_SOCKET: path, WATCHDOG_USEC: String(watchdog * 1000) },
    heard: () => text.split('\n').filter(line => /^(READY|STOPPING|WATCHDOG)=/.test(line)),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await once(child, 'exit')
      await rm(folder, { recursive: true })
    },
  }
}
