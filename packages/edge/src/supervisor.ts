import { spawn } from 'node:child_process'

/**
 * Tells systemd how this process is (sd_notify). Node cannot write to systemd's datagram socket, so a small shell
 * reads lines and passes each to `systemd-notify`. It is started once, because starting a process out of a large
 * one would hold up the event loop each time. It ends with this process.
 */
export interface Supervisor {
  ready(): void
  stopping(): void
  /** Feeds the watchdog after each `check` that succeeds. One that hangs is not asked again. */
  watch(check: () => Promise<unknown>): void
}

const relay = 'while read -r line; do systemd-notify "$line" || exit; done'

/** Returns undefined unless systemd started this process with `Type=notify`. */
export function openSupervisor(env: NodeJS.ProcessEnv): Supervisor | undefined {
  const { NOTIFY_SOCKET, PATH = '/usr/bin:/bin' } = env
  if (!NOTIFY_SOCKET) return undefined
  const child = spawn('/bin/sh', ['-c', relay], {
    env: { NOTIFY_SOCKET, PATH },
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  child.unref()
  child.on('error', () => undefined)
  child.stdin.on('error', () => undefined)
  const tell = (line: string) => void child.stdin.write(`${line}\n`)
  let timer: NodeJS.Timeout | undefined
  let isStopping = false
  return {
    ready: () => tell('READY=1'),
    stopping() {
      isStopping = true
      clearInterval(timer)
      tell('STOPPING=1')
    },
    watch(check) {
      const gap = feedingGap(env)
      if (gap === undefined) return
      let isAsking = false
      timer = setInterval(async () => {
        if (isAsking) return
        isAsking = true
        await check().then(
          () => isStopping || tell('WATCHDOG=1'),
          () => undefined,
        )
        isAsking = false
      }, gap).unref()
    },
  }
}

/** Milliseconds: a third of what systemd allows, so that one late answer is forgiven. */
function feedingGap({ WATCHDOG_USEC, WATCHDOG_PID }: NodeJS.ProcessEnv): number | undefined {
  const allowed = Number(WATCHDOG_USEC ?? 0) / 1000
  // The command may have started this process with a Node of its own.
  const isOurs = WATCHDOG_PID === undefined || [process.pid, process.ppid].includes(Number(WATCHDOG_PID))
  return allowed > 0 && isOurs ? allowed / 3 : undefined
}
